/** A folder of an older or newer version of the program is upgraded by a process with exclusive access, or refused. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { latest } from '../../src/db/migrate.ts'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { holdFolder } from '../../src/store/files/folder-use.ts'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** A folder left by an older program, with the first tables. */
function olderFolder(): { data: string; file: string } {
  const data = join(tempDir(), 'data')
  mkdirSync(data, { mode: 0o700 })
  for (const [name, { first, files }] of Object.entries(SCHEMAS)) {
    const database = new Database(join(data, `${name}.db`))
    database.exec(files[0])
    database.pragma(`user_version = ${first}`)
    database.close()
  }
  return { data, file: join(data, 'catalog.db') }
}

function schemaOf(file: string): unknown {
  const database = new Database(file, { readonly: true })
  try {
    return database.pragma('user_version', { simple: true })
  } finally {
    database.close()
  }
}

test('upgrade --check reports and changes nothing; the upgrade keeps a copy of the old databases', async () => {
  const { data, file } = olderFolder()
  const known = latest(SCHEMAS.catalog)
  const told = await succeed(['upgrade', '--check', '--data', data])
  const older: string[] = []
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const steps = latest(schema) - schema.first
    const says =
      steps === 0
        ? 'up to date'
        : `schema ${schema.first}, ${steps} migration${steps === 1 ? '' : 's'} to run`
    expect(told).toContain(`${name}.db: ${says}`)
    if (steps > 0) older.push(`${name}.schema-${schema.first}.db`)
  }
  expect(older).toContain('catalog.schema-9.db')
  expect(schemaOf(file)).toBe(9)
  expect(existsSync(join(data, 'before-upgrade'))).toBe(false)

  await succeed(['upgrade', '--data', data])
  expect(schemaOf(file)).toBe(known)
  expect(readdirSync(join(data, 'before-upgrade')).toSorted()).toEqual(older.toSorted())
  const copy = join(data, 'before-upgrade', 'catalog.schema-9.db')
  expect(schemaOf(copy)).toBe(9)
  expect(statSync(copy).mode & 0o077).toBe(0)
  expect(await succeed(['upgrade', '--check', '--data', data])).toContain('catalog.db: up to date')
})

test('a folder of a newer version is refused with its name, and is not changed', async () => {
  const { data, file } = olderFolder()
  const database = new Database(file)
  database.pragma('user_version = 99')
  database.close()
  for (const command of [
    ['upgrade', '--check'],
    ['serve', '--port', '0'],
  ]) {
    const { code, stderr } = await izvor([...command, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toContain('newer version of Izvor')
    expect(stderr).toContain(file)
  }
  expect(schemaOf(file)).toBe(99)
})

test('a folder of a build from before the first release is refused with its name, and is not changed', async () => {
  const { data } = olderFolder()
  const accounts = join(data, 'accounts.db')
  const database = new Database(accounts)
  database.pragma('user_version = 3')
  database.close()
  for (const command of [['upgrade', '--check'], ['upgrade'], ['serve', '--port', '0']]) {
    const { code, stderr } = await izvor([...command, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toContain(`${accounts} was made by a build from before the first release (schema 3)`)
  }
  expect(schemaOf(accounts)).toBe(3)
})

test('databases are not changed while a process works in the folder', async () => {
  const { data, file } = olderFolder()
  holdFolder(new DataDir(data))
  const [upgraded, listed] = await Promise.all([
    izvor(['upgrade', '--data', data]),
    izvor(['keys', 'list', '--data', data]),
  ])
  for (const { code, stderr } of [upgraded, listed]) {
    expect(code).toBe(1)
    expect(stderr).toContain(`catalog.db from schema 9 to ${latest(SCHEMAS.catalog)}: stop the service`)
  }
  expect([schemaOf(file), existsSync(join(data, 'before-upgrade'))]).toEqual([9, false])
  expect(await succeed(['upgrade', '--check', '--data', data])).toContain('catalog.db: schema 9')
})

test('of concurrent commands in an older folder one upgrades it, and all do their work', async () => {
  const { data, file } = olderFolder()
  const ended = await Promise.all([1, 2, 3].map(() => izvor(['keys', 'list', '--data', data])))
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(schemaOf(file)).toBe(latest(SCHEMAS.catalog))
})
