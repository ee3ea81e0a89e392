/** A file with a cell of hundreds of megabytes is refused before it takes that much memory. */

import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { izvor } from './program.ts'

const MEGABYTE = 1_000_000
const CELL_MEGABYTES = 300
const MOST_RESIDENT = 300 * MEGABYTE

function writeLongCell(path: string, quote: string): void {
  const file = openSync(path, 'w')
  writeSync(file, `nr,nota\n1,scurt\n2,${quote}`)
  const piece = Buffer.alloc(MEGABYTE, 'text lung ')
  for (let written = 0; written < CELL_MEGABYTES; written++) writeSync(file, piece)
  writeSync(file, `${quote}\n3,scurt\n`)
  closeSync(file)
}

test.skipIf(process.platform !== 'linux').each([
  ['within quotes', '"'],
  ['without quotes', ''],
])(
  'a cell of 300 MB %s is refused in less memory than that',
  async (_, quote) => {
    const folder = tempDir()
    const file = join(folder, 'long.csv')
    writeLongCell(file, quote)
    const { code, stderr, ownPeakBytes } = await izvor([
      'ingest',
      file,
      '--domain',
      'test',
      '--data',
      join(folder, 'data'),
    ])
    expect([code, stderr]).toEqual([4, expect.stringMatching(/line 3 .*longer than 32 MB/)])
    expect(ownPeakBytes).toBeLessThan(MOST_RESIDENT)
  },
  60_000,
)
