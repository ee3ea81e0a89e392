/** Pictures with which other sites show links to a version: files below `files/` of the data directory. */

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

/** The name of the picture's file; it changes with the version, the texts and the program. */
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
 * Draws the missing pictures of the served version, one for each language. A dataset whose rows need a key has none.
 * @throws DamagedFileError and others; publishing continues without pictures
 */
export async function drawPictures({ catalog, dataDir }: PicturePlace, id: string): Promise<void> {
  const served = catalog.find(id)
  const record = catalog.record(id)
  if (served === undefined || record === undefined || !served.open) return
  if (dataDir.remote !== null) await awaitLocalVersion(dataDir.remote, served)
  using file = closing(VersionFile.open(served.file))
  const { choice, question } = readChoice([])
  const planned = planSummary(served, choice, question)
  // Without figures, for instance with too many groups, the picture has the title alone.
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

/** As `drawPictures`, after publishing: a failure does no harm, since the first request draws what is missing. */
export async function drawAfter(place: PicturePlace, id: string): Promise<void> {
  await drawPictures(place, id).catch(() => {})
}
