/** Reads a draft: first a preview of its first records, then the whole. The decoded text stays for the next reading. */

import { releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { emptiedAtSignal } from '../../base/process/emptied-at-signal.ts'
import { digestOf } from '../../read/source/source.ts'
import type { Draft, DraftProblem } from '../../store/catalog/drafts.ts'
import { composeReport, cutRecords, UnreadFileError, withReport } from '../edition/compose-report.ts'
import { readEdition, settleEdition, titledEdition } from '../edition/edition.ts'
import { examine } from '../edition/findings.ts'
import { survey } from '../edition/publish.ts'
import { largestDownload } from '../edition/source-record.ts'
import { showAddress } from '../fetch/address.ts'
import { fetchSource } from '../fetch/fetch-source.ts'
import { FOR_PUBLISHERS } from '../fetch/place.ts'
import { explainDiskFull } from '../ingest.ts'
import { findAlike } from './alike.ts'
import { type Asked, askedOf } from './decisions.ts'
import { findDifference } from './difference.ts'
import { keepReading as shareReading, shareSource } from './draft-objects.ts'
import { roomForDrafts } from './draft-order.ts'
import {
  type DraftPlace,
  decodeOnce,
  findDraftFile,
  progressWriter,
  sayToPublisher,
  sourceOf,
} from './draft-place.ts'
import { type DraftReading, describeReading, NOTHING_READ, type StoredReading } from './draft-reading.ts'

const PREVIEW_RECORDS = 10_000
const SHOWN = 50
/** Reading a smaller file takes no longer than a preview. */
const PREVIEW_FROM_BYTES = 1 << 20
/** The most rows, quarantined or mended, that a draft lists. */
const MOST_LISTED = 100_000

type Sheets = StoredReading['sheets']

export async function readDraft(place: DraftPlace, claimed: Draft): Promise<void> {
  const draft =
    claimed.address !== null && claimed.fetched === null ? await fetchDraft(place, claimed) : claimed
  if (draft === null) return
  const asked = askedOf(place.catalog, draft)
  const { read } = asked.definition ?? {}
  const { bytes, sheets } = await decodeOnce(place.folder, draft, read).catch((error: unknown) => {
    // The reading reports why it cannot be decoded.
    if (error instanceof CommandError) return { bytes: 0, sheets: [] }
    throw error
  })
  if (bytes >= PREVIEW_FROM_BYTES) await preview(place, draft, asked, sheets)
  await readWhole(place, draft, asked, sheets)
}

/**
 * Fetches the file of a draft from an address, once.
 * @returns the draft with its file; null when the draft is gone, or could not be fetched, which it then says
 */
async function fetchDraft(place: DraftPlace, draft: Draft): Promise<Draft | null> {
  const { catalog, dataDir, folder, order } = place
  const { max_upload, disk_floor, publish_private_addresses } = order.settings
  const address = draft.address as string
  using work = releasing(dataDir.claimWorkFolder())
  using _ = emptiedAtSignal(work.path)
  try {
    const room = await roomForDrafts(catalog, order.settings, draft)
    const fetched = await fetchSource(address, {
      workFolder: work.path,
      only: publish_private_addresses ? undefined : FOR_PUBLISHERS,
      maxBytes: Math.min(room, max_upload, largestDownload(dataDir, disk_floor)),
      onProgress: progressWriter(folder),
    })
    if (fetched === null) throw new Error('a server says that a file is unchanged, but none was known')
    const { source, ...about } = fetched
    folder.takeSource(source.path)
    await shareSource(dataDir, draft.id, folder.source)
    const found = {
      fileName: source.name,
      bytes: source.bytes,
      sha256: fetched.sha256,
      fetched: { ...about },
    }
    const changed = { ...found, address: fetched.address, state: 'reading' as const }
    return (await catalog.drafts.change(draft.id, () => changed)) ?? null
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const problem = { code: 'invalid_value', ...sayToPublisher(place, error) } as const
    // A password in the address must not be stored.
    const failed = { state: 'failed', problem, address: showAddress(address) } as const
    await catalog.drafts.change(draft.id, () => failed)
    return null
  }
}

/** The preview shows most of what has to be decided. It may fail where reading the whole file does not. */
async function preview(place: DraftPlace, draft: Draft, asked: Asked, sheets: Sheets): Promise<void> {
  try {
    const reading = await attempt(place, draft, asked, PREVIEW_RECORDS)
    keepReading(place, draft, { ...reading, sheets, preview: true })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
}

async function readWhole(place: DraftPlace, draft: Draft, asked: Asked, sheets: Sheets): Promise<void> {
  const { catalog, folder } = place
  const sha256 = draft.sha256 ?? digestOf(sourceOf(folder, draft))
  const baseVersion = catalog.find(asked.id)?.version ?? null
  let isTable = false
  let problem: DraftProblem | null = null
  try {
    const reading = await attempt(place, { ...draft, sha256 }, asked)
    isTable = reading.report.dialect !== null
    keepReading(place, draft, { ...reading, sheets, preview: false })
    await shareReading(place.dataDir, draft)
  } catch (error) {
    // The decisions do not fit the file.
    if (!(error instanceof CommandError) || error.kind === 'failed') throw error
    problem = { code: 'invalid_body', ...sayToPublisher(place, error) }
  }
  await catalog.drafts.change(draft.id, ({ revision }) =>
    revision === draft.revision
      ? { state: isTable ? 'ready' : 'refused', sha256, baseVersion, problem }
      : { sha256 },
  )
}

/** Reads without publishing. @throws CommandError `usage` or `failed` as an ingest does */
async function attempt(
  place: DraftPlace,
  draft: Draft,
  asked: Asked,
  mostRecords?: number,
): Promise<DraftReading> {
  const { dataDir, folder, order } = place
  const { definition: knownDefinition, ...named } = asked
  // Only the whole reading checks whether the file is served already.
  const force = mostRecords !== undefined
  const settled = await settleEdition(place, findDraftFile(folder, draft), {
    ...named,
    knownDefinition,
    file: draft.fileName,
    isDraft: true,
    dryRun: true,
    force,
  })
  using work = releasing(dataDir.claimWorkFolder())
  const onProgress = progressWriter(folder)
  try {
    const decoded = await decodeOnce(folder, draft, settled.identity.definition?.read)
    await using reading = await readEdition(place, settled, {
      workFolder: work.path,
      decoded,
      mostRecords,
      shownRecords: SHOWN,
      onProgress,
    })
    const edition = titledEdition(settled, reading)
    using findings = await examine(place, edition, reading, {
      settings: order.settings,
      force,
    })
    const subject = { edition, findings, onProgress }
    const outcome = await survey(reading, subject, SHOWN)
    if (!reading.isPreview) {
      folder.write('quarantine.ndjson', toLines(reading.quarantined()))
      folder.write('repaired.ndjson', toLines(reading.mended()))
    }
    const report = composeReport(reading, subject, outcome)
    const served = place.catalog.find(edition.identity.info.id)
    // A preview says nothing about the other records.
    const difference = reading.isPreview ? null : findDifference(served, edition, reading, findings)
    const names = report.columns.map(({ name }) => name)
    const alike = reading.isPreview || served !== undefined ? [] : findAlike(place.catalog, names)
    return describeReading(reading, edition, findings, outcome.built.shownRows, report, { difference, alike })
  } catch (error) {
    const failure = withReport(error, settled)
    if (failure instanceof UnreadFileError)
      return { ...NOTHING_READ, report: failure.report, records: cutRecords(failure.records) }
    throw explainDiskFull(failure, place)
  }
}

function keepReading(
  { folder }: DraftPlace,
  { revision, changes }: Draft,
  reading: Omit<StoredReading, 'revision' | 'changes'>,
): void {
  const stored: StoredReading = { ...reading, revision, changes }
  folder.write('reading.json', JSON.stringify(stored))
}

function* toLines(rows: Iterable<object>): Generator<string> {
  let left = MOST_LISTED
  for (const row of rows) {
    if (left-- === 0) return
    yield `${JSON.stringify(row)}\n`
  }
}
