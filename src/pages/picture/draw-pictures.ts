/** Pictures of a served version, by which other sites show links to its pages: files below `files/` of the data directory. */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameBuild } from '../../base/build.ts'
import { closing, releasing } from '../../base/closing.ts'
import { LANGUAGES, type Language } from '../../base/text/language.ts'
import { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { awaitLocalVersion } from '../../query/local-version.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ServedDataset, VersionRecord } from '../../store/catalog/record.ts'
import type { BulkName } from '../../store/files/bulk-folder.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import { findSummary, planSummary } from '../summary/ask-summary.ts'
import { readChoice } from '../summary/choice.ts'
import { drawCard } from './card.tsx'
import { toPng } from './png.ts'

interface PicturePlace {
  readonly catalog: Catalog
  readonly dataDir: DataDir
}

/** The picture's file. Another version, other texts or another program make another one. */
export function pictureName(
  { id, version, sha256 }: ServedDataset,
  { dataset, columns }: VersionRecord,
  language: Language,
): BulkName {
  const said = [sha256, dataset, columns.map(({ title, unit }) => [title, unit]), nameBuild()]
  const versionSha256 = createHash('sha256').update(JSON.stringify(said)).digest('hex')
  return { id, version, versionSha256, format: `${language}png` }
}

/**
 * Draws the pictures of the served version that are missing, one for each language. Does nothing for a dataset that is not
 * shown without a key, which has none.
 * @throws DamagedFileError and others: whoever publishes goes on without pictures
 */
export async function drawPictures({ catalog, dataDir }: PicturePlace, id: string): Promise<void> {
  const served = catalog.find(id)
  const record = catalog.record(id)
  if (served === undefined || record === undefined || !served.open) return
  if (dataDir.remote !== null) await awaitLocalVersion(dataDir.remote, served)
  using file = closing(VersionFile.open(served.file))
  const { choice, question } = readChoice([])
  const planned = planSummary(served, choice, question)
  // Without figures, as of too many groups, it is the title alone.
  const answer = planned && (await findSummary(new OpenDataset(file), planned).catch(() => null))
  using work = releasing(dataDir.claimWorkFolder())
  for (const language of LANGUAGES) {
    const png = await toPng(drawCard(language, served, record, answer))
    const path = join(work.path, 'picture')
    writeFileSync(path, png, { mode: 0o600 })
    const sha256 = createHash('sha256').update(png).digest('hex')
    dataDir.files.place(path, pictureName(served, record, language), sha256)
  }
}

/** The same for who has published: without pictures the version is served as well, and the first request draws them. */
export async function drawAfter(place: PicturePlace, id: string): Promise<void> {
  await drawPictures(place, id).catch(() => {})
}
