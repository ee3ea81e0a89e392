/** Reading can be used from outside as its README says. */

import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'

const FOLDER = join(import.meta.dir, '../../src/read')

test('the example of the README reads a file and says how', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(FOLDER, 'README.md'), 'utf8')) ?? []
  const folder = tempDir()
  const program = join(folder, 'example.ts')
  writeFileSync(program, example.replace("'./read.ts'", JSON.stringify(join(FOLDER, 'read.ts'))))
  const rows = ['1;Ana;2,5', '2;Ion;n/a', '3;Eva;4,5;x', '4;Dan;6,25']
  writeFileSync(join(folder, 'prices.csv'), `nr;nume;preț\n${rows.join('\n')}\n`)
  const run = Bun.spawn([process.execPath, program], { cwd: folder, stderr: 'pipe' })
  const [printed, failure] = await Promise.all([run.stdout.text(), run.stderr.text()])
  expect(failure).toBe('')
  expect(printed.split('\n')).toEqual([
    'csv utf-8 nr | nume | preț 3 rows',
    'nr integer',
    'nume string',
    'pret decimal',
    expect.stringMatching(/^dialect: [01](\.\d+)?$/),
    ...['structure', 'encoding'].map(() => expect.any(String)),
    expect.any(String),
    '4 too_many_cells 3;Eva;4,5;x',
    '',
  ])
})
