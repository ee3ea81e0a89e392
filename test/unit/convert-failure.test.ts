import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandError } from '../../src/base/errors.ts'
import { convertFile } from '../../src/read/source/decode-source.ts'
import { tempDir } from '../support/temp-dir.ts'
import { xlsx } from '../support/workbooks.ts'

test('the output of a converter that breaks off goes to the log, not into the refusal', async () => {
  const path = join(tempDir(), 'a.xlsx')
  writeFileSync(path, xlsx([{ name: 'A', rows: [['a', 'b']] }]))
  const folder = join(tempDir(), 'missing')
  const failure = await convertFile('a.xlsx', { path, folder }).then(
    () => undefined,
    (error: CommandError) => error,
  )
  expect(failure?.message).toMatch(/\(a\.xlsx: the process that reads it ended with [a-z]+ [a-z]* ?\w+\)$/)
  expect(failure?.reasons).toEqual([{ code: 'work_ended', values: {} }])
  expect(String(failure?.cause)).toContain('ENOENT')
})
