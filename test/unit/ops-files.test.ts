/** The files for operators name what the program really has. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/base/config/config.ts'

const FOLDER = join(import.meta.dir, '..', '..', 'data', 'ops')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

test('settings named in the files exist', () => {
  for (const file of ['izvor.service', 'Dockerfile', 'nginx.conf', 'Caddyfile']) {
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
