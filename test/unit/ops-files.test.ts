/** The files for operators name what the program really has. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/base/config/config.ts'

const FOLDER = join(import.meta.dir, '..', '..', 'data', 'ops')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

test('settings named in the files exist', () => {
  for (const file of ['izvor.service', 'Dockerfile', 'nginx.conf', 'Caddyfile', 'Caddyfile.nodes']) {
    const variables = [...read(file).matchAll(/\bIZVOR_([A-Z_]+)=/g)].map((match) =>
      (match[1] as string).toLowerCase(),
    )
    const lines = [...read(file).matchAll(/^# {3}([a-z_]+) = /gm)].map((match) => match[1] as string)
    const flags = [...read(file).matchAll(/ (--[a-z]+-port)\b/g)].map((match) => match[1] as string)
    const names = [...variables, ...lines]
    expect([file, names.filter((name) => !Object.hasOwn(SETTINGS, name))]).toEqual([file, []])
    const known = Object.values(SETTINGS).map(({ flag }) => flag as string | null)
    expect([file, flags.filter((flag) => !known.includes(flag))]).toEqual([file, []])
  }
})

test('the nodes of the compose file have settings that the program takes, and the proxy the same address', () => {
  const text = read('compose.yaml').replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, name, byDefault) => byDefault ?? name,
  )
  const { services } = Bun.YAML.parse(text) as {
    services: Record<string, { environment: Record<string, string> }>
  }
  const { environment } = services['node-a']!
  const own = Object.entries(environment).filter(([name]) => name.startsWith('IZVOR_'))
  const parse = (name: string, value: string): unknown => {
    const setting = SETTINGS[name.slice('IZVOR_'.length).toLowerCase() as keyof typeof SETTINGS]
    return setting?.kind.parse(value)
  }
  expect(own.filter(([name, value]) => parse(name, value) === undefined)).toEqual([])
  expect(environment.IZVOR_BASE_URL).toBe('http://localhost')
  expect(services.proxy!.environment.SITE).toBe('http://localhost')
  expect(read('Caddyfile.nodes')).toContain('{$SITE:http://localhost} {')
})
