/** What was read of a draft, from its folder. */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { StoredReading } from './draft-request.ts'

/** The latest reading, which may be of earlier decisions; undefined before the first. */
export function storedReading(dataDir: DataDir, { id }: Pick<Draft, 'id'>): StoredReading | undefined {
  const text = dataDir.draft(id).read('reading.json')
  return text === undefined ? undefined : (JSON.parse(text) as StoredReading)
}

/** The rows of a list that the reading left behind; none before the first reading. */
export async function* keptRows(
  dataDir: DataDir,
  { id }: Pick<Draft, 'id'>,
  name: 'quarantine.ndjson' | 'repaired.ndjson',
): AsyncGenerator<Readonly<Record<string, string | number | null>>> {
  const path = dataDir.draft(id).find(name)
  if (path === undefined) return
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line)
}
