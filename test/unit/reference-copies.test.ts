/** The operator's own reference tables on several nodes: the same in every folder, wherever they were added. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { openTestNode, type TestNode } from '../support/shared-catalog.ts'

let server: TestPostgres
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})
afterAll(() => server?.stop())

async function openNodes(): Promise<[TestNode, TestNode]> {
  const url = await server.createDatabase()
  return [await openTestNode({ url }), await openTestNode({ url })]
}

function put(node: TestNode, name: string, text: string): void {
  mkdirSync(node.dataDir.referenceDir, { recursive: true })
  writeFileSync(join(node.dataDir.referenceDir, name), text)
}

/** The files of a node's folder, without hidden ones. */
function filesOf({ dataDir }: TestNode): Record<string, string> {
  const names = readdirSync(dataDir.referenceDir).filter((name) => !name.startsWith('.'))
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(dataDir.referenceDir, name), 'utf8')]),
  )
}

describe.skipIf(!hasPostgres)('a reference table', () => {
  test('added, changed or deleted in the folder of one node is so in those of all', async () => {
    const [a, b] = await openNodes()
    const follow = async () => {
      for (const node of [a, b, a]) await node.catalog.catchUp()
    }
    put(a, 'towns.csv', 'Iași,iasi\n')
    put(a, 'notes.txt', 'not a table')
    await follow()
    expect(filesOf(b)).toEqual({ 'towns.csv': 'Iași,iasi\n' })
    put(b, 'towns.csv', 'Iași,iassy\n')
    put(b, 'rivers.csv', 'Olt,olt\n')
    await b.catalog.catchUp()
    await follow()
    expect(filesOf(a)).toEqual({
      'notes.txt': 'not a table',
      'rivers.csv': 'Olt,olt\n',
      'towns.csv': 'Iași,iassy\n',
    })
    rmSync(join(a.dataDir.referenceDir, 'towns.csv'))
    await follow()
    expect(filesOf(b)).toEqual({ 'rivers.csv': 'Olt,olt\n' })
  })

  test('comes back into a lost folder', async () => {
    const [a, b] = await openNodes()
    put(a, 'towns.csv', 'Iași,iasi\n')
    await a.catalog.catchUp()
    await b.catalog.catchUp()
    rmSync(b.dataDir.referenceDir, { recursive: true })
    await b.catalog.catchUp()
    expect(filesOf(b)).toEqual({ 'towns.csv': 'Iași,iasi\n' })
    await a.catalog.catchUp()
    expect(filesOf(a)).toEqual({ 'towns.csv': 'Iași,iasi\n' })
  })

  test('changed by two nodes keeps the first change, and the other one beside it', async () => {
    const [a, b] = await openNodes()
    put(a, 'towns.csv', 'Iași,first\n')
    put(b, 'towns.csv', 'Iași,second\n')
    await a.catalog.catchUp()
    await b.catalog.catchUp()
    expect(filesOf(b)).toEqual({ 'towns.csv': 'Iași,first\n', 'towns.csv.replaced': 'Iași,second\n' })
    expect(filesOf(a)).toEqual({ 'towns.csv': 'Iași,first\n' })
  })
})
