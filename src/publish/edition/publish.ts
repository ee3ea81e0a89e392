/**
 * The end of an ingest: a version file with everything that was read is completed, checked, moved into place and served. A
 * survey makes the same columns and writes nothing.
 */

import { join } from 'node:path'
import { atEnd } from '../../base/closing.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Reading } from '../../read/read.ts'
import { codeChunks } from '../../read/values/served-column.ts'
import type { PublicationTerms } from '../../store/catalog/publish.ts'
import type { Provenance } from '../../store/catalog/record.ts'
import { searchedTexts } from '../../store/catalog/search/searched-texts.ts'
import { verifyVersionFile } from '../../store/files/open-version.ts'
import { VersionWriter } from '../../store/files/write-version.ts'
import { addQuality, addRows, addSource } from './append.ts'
import { type Outcome, type Subject, VersionBuilder } from './build-version.ts'
import type { Edition, Workplace } from './edition.ts'
import type { Findings } from './findings.ts'
import { composeQuality } from './report.ts'

/** What a reading is published as. */
export interface Terms extends Subject {
  /** Holds the version file until it is complete. */
  readonly workFolder: string
  /** Conditions and changes inside the publishing transaction. */
  readonly publication?: PublicationTerms | undefined
}

/**
 * Publishes a reading: the next request sees it, and until the last step readers see no change.
 * @throws CommandError `refused` when the dataset is too large to be served, `failed` when the disk is full, another
 * version is served than expected, or the object store does not keep the file; DamagedFileError when the disk did not keep
 * what was written
 */
export async function publish(workplace: Workplace, reading: Reading, terms: Terms): Promise<Outcome> {
  const { catalog, dataDir } = workplace
  const { edition, findings } = terms
  const { appended } = findings
  const { id, domain } = edition.identity.info
  const writer = new VersionWriter(join(terms.workFolder, 'version.db'))
  using _ = atEnd(() => writer.abort())
  const builder = new VersionBuilder(reading, terms)
  if (appended) writer.writeQuarantine(appended.file.quarantine())
  writer.writeQuarantine(reading.quarantined())
  if (appended) writer.writeMended(appended.file.mended())
  writer.writeMended(reading.mended())
  for await (const { position, name, served, rows } of builder.columns()) {
    const { type, dictionary, codeWidth, counts } = served
    const nullCount = counts[0] as number
    writer.writeColumn(position, { name, type, distinct: dictionary.distinct, nullCount, codeWidth })
    for (const [kind, segment] of dictionary.segments) writer.writeSegment(position, kind, segment)
    writer.writeSegment(position, 'codes', codeChunks(served, rows.ids(), builder.refused))
  }
  const content = await builder.finish()
  const rows = appended === null ? content.counts.rows : addRows(appended, content.counts.rows)
  const { definition, origin } = keepAnswers(edition, findings)
  const version = await catalog.reserveVersion(id)
  const file = writer.finish({ dataset: id, domain, version, rows: rows.imported })
  verifyVersionFile(writer.path)
  const texts = searchedTexts(writer.path, [
    ...(definition?.personal_data ?? []),
    ...findings.personal.map(({ column }) => column),
  ])
  const ofFile = composeQuality(id, version, { ...content.counts, rows })
  const record = {
    dataset: edition.identity.info,
    version,
    rows: rows.imported,
    quarantined: rows.quarantined,
    columns: content.built.columns,
    primary_key: findings.primaryKey,
    sample_row: content.built.sampleRow,
    provenance: composeProvenance(version, terms, content.sha256, workplace.now()),
    quality: appended === null ? ofFile : addQuality(appended, ofFile),
    file,
    definition,
    reading: edition.stamp,
    said: {},
  }
  const origins = { ...origin, sha256: origin.sha256 ?? content.sha256 }
  const place = () => dataDir.placeVersion(writer.path, id, version)
  const continued = appended === null ? {} : { expected: appended.record.version }
  const dropped = await catalog.publish(record, place, origins, {
    ...terms.publication,
    ...continued,
    texts,
  })
  dataDir.discard(dropped)
  return { ...content, version }
}

/** What a reading would be served as. @throws CommandError `refused` when it is too large to be served */
export async function survey(reading: Reading, subject: Subject, shownRows = 0): Promise<Outcome> {
  const builder = new VersionBuilder(reading, subject, shownRows)
  for await (const _ of builder.columns());
  return { ...(await builder.finish()), version: null }
}

/** Adds acknowledged columns to the definition, and makes one where there is none. */
function keepAnswers(
  { identity: { definition, info }, origin }: Edition,
  { personal, warnings, before: { acknowledged, told }, isContinued }: Findings,
): Pick<Edition, 'origin'> & Pick<Edition['identity'], 'definition'> {
  const found = personal.filter((one) => one.acknowledged).map(({ column }) => column)
  const names = [...new Set([...(definition?.personal_data ?? []), ...acknowledged, ...found])]
  if (names.length === 0) return { definition, origin }
  const isTold = warnings.some(({ code }) => code === 'personal_data_served')
  const noted = isTold ? found : told
  const served = isContinued && noted.length > 0 ? { personal_data_served: noted } : {}
  const { id, domain } = info
  return {
    definition: { ...(definition ?? { id, domain }), personal_data: names },
    origin: { ...origin, options: { ...origin.options, ...served } },
  }
}

function composeProvenance(
  version: number,
  { edition, findings: { appended, rows } }: Terms,
  sha256: string,
  importedAt: Date,
): Provenance {
  const { source_url, source_package_id } = edition.identity.info
  const file = edition.source.name
  const imported_at = formatTimestamp(importedAt)
  const added = { file, sha256, rows: rows.imported, imported_at }
  return {
    ingestion_version: version,
    rows_imported: rows.imported,
    rows_quarantined: rows.quarantined,
    source_file: file,
    source_sha256: sha256,
    source_url,
    source_package_id,
    imported_at,
    sources: appended === null ? [added] : addSource(appended, added),
  }
}
