/** `izvor bench`: figures of this machine, and nothing left behind. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

test('bench measures ingest, filters, sorts, an export and requests, and leaves nothing behind', async () => {
  const folder = tempDir()
  const output = await succeed(['bench', '--rows', '3000', '--json'], { env: { TMPDIR: folder } })
  const { rows, figures } = JSON.parse(output) as { rows: number; figures: { work: string; value: number }[] }
  expect(rows).toBe(3000)
  const works = figures.map(({ work }) => work).join('; ')
  for (const part of ['ingest', 'disk', 'filters', 'sort', 'export', 'list again', 'never seen'])
    expect(works).toContain(part)
  expect(figures.filter(({ value }) => !(value > 0))).toEqual([])
  expect(readdirSync(folder).filter((name) => name.startsWith('izvor-bench'))).toEqual([])
})
