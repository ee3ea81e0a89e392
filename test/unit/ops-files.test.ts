/** The files for operators name only what the program has. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../src/base/config/config.ts'

const FOLDER = join(import.meta.dir, '..', '..', 'data', 'ops')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

test('the settings named in the files exist', () => {
  for (const file of ['izvor.service', 'nginx.conf', 'Caddyfile', 'Caddyfile.nodes']) {
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

/** The compose file `name` with the defaults of unset variables, as an operator's first `up` reads it. */
function readCompose(name: string) {
  const text = read(name).replaceAll(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, variable, byDefault) => byDefault ?? variable,
  )
  return Bun.YAML.parse(text) as {
    services: Record<string, { image: string; environment: Record<string, string>; ports: string[] }>
  }
}

/** Settings of a service that the program does not accept. */
function unknownSettings(environment: Readonly<Record<string, string>>): [string, string][] {
  const own = Object.entries(environment).filter(([name]) => name.startsWith('IZVOR_'))
  return own.filter(([name, value]) => {
    const setting = SETTINGS[name.slice('IZVOR_'.length).toLowerCase() as keyof typeof SETTINGS]
    return setting?.kind.parse(value) === undefined
  })
}

test('both compose files use the image of this version, one on localhost as it is', () => {
  const { izvor } = readCompose('compose.yaml').services
  const image = `izvor:${packageJson.version}`
  expect([izvor!.image, readCompose('compose.nodes.yaml').services['node-a']!.image]).toEqual([image, image])
  expect(unknownSettings(izvor!.environment)).toEqual([])
  expect(izvor!.environment.IZVOR_BASE_URL).toBe('http://localhost:3000')
  expect(izvor!.ports).toEqual(['127.0.0.1:3000:3000'])
})

test('the nodes of the compose file have settings that the program accepts, and the proxy the same address', () => {
  const { services } = readCompose('compose.nodes.yaml')
  const { environment } = services['node-a']!
  expect(unknownSettings(environment)).toEqual([])
  expect(environment.IZVOR_BASE_URL).toBe('http://localhost')
  expect(services.proxy!.environment.SITE).toBe('http://localhost')
  expect(read('Caddyfile.nodes')).toContain('{$SITE:http://localhost} {')
})
