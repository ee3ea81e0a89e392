/** A folder of an older or newer version of the program: upgraded by one process that holds it alone, or refused. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { SCHEMAS } from '../../src/db/migrations.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { holdFolder } from '../../src/store/files/folder-use.ts'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** A folder as an older program left it. */
function olderFolder(migrations: number): { data: string; file: string } {
  const data = join(tempDir(), 'data')
  mkdirSync(data, { mode: 0o700 })
  for (const [name, all] of Object.entries(SCHEMAS)) {
    const database = new Database(join(data, `${name}.db`))
    const applied = name === 'accounts' ? migrations : all.length
    for (const sql of all.slice(0, applied)) database.exec(sql)
    database.pragma(`user_version = ${applied}`)
    database.close()
  }
  return { data, file: join(data, 'accounts.db') }
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
  const { data, file } = olderFolder(2)
  const known = SCHEMAS.accounts.length
  const told = await succeed(['upgrade', '--check', '--data', data])
  expect(told).toContain(`accounts.db: schema 2, ${known - 2} migrations to run`)
  expect(told).toContain('catalog.db: up to date')
  expect(schemaOf(file)).toBe(2)
  expect(existsSync(join(data, 'before-upgrade'))).toBe(false)

  await succeed(['upgrade', '--data', data])
  expect(schemaOf(file)).toBe(known)
  expect(readdirSync(join(data, 'before-upgrade'))).toEqual(['accounts.schema-2.db'])
  const copy = join(data, 'before-upgrade', 'accounts.schema-2.db')
  expect(schemaOf(copy)).toBe(2)
  expect(statSync(copy).mode & 0o077).toBe(0)
  expect(await succeed(['upgrade', '--check', '--data', data])).toContain('accounts.db: up to date')
})

test('a folder of a newer version is refused by name, and is not changed', async () => {
  const { data, file } = olderFolder(SCHEMAS.accounts.length)
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

test('databases are not changed underneath a process that works in the folder', async () => {
  const { data, file } = olderFolder(2)
  holdFolder(new DataDir(data))
  const [upgraded, listed] = await Promise.all([
    izvor(['upgrade', '--data', data]),
    izvor(['keys', 'list', '--data', data]),
  ])
  for (const { code, stderr } of [upgraded, listed]) {
    expect(code).toBe(1)
    expect(stderr).toContain(`accounts.db from schema 2 to ${SCHEMAS.accounts.length}: stop the service`)
  }
  expect([schemaOf(file), existsSync(join(data, 'before-upgrade'))]).toEqual([2, false])
  expect(await succeed(['upgrade', '--check', '--data', data])).toContain('accounts.db: schema 2')
})

test('of concurrent commands in a folder of an older version one upgrades it, and all do their work', async () => {
  const { data, file } = olderFolder(2)
  const ended = await Promise.all([1, 2, 3].map(() => izvor(['keys', 'list', '--data', data])))
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(schemaOf(file)).toBe(SCHEMAS.accounts.length)
})
