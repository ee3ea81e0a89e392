/** Reads a draft: the preview of its first records, then the whole report. What was decoded stays for the next reading. */

import { CommandError } from '../../base/errors.ts'
import { settleOptions } from '../../read/definition/read-options.ts'
import type { DecodedSource } from '../../read/source/decode-source.ts'
import { digestOf } from '../../read/source/source.ts'
import type { Draft, DraftProblem } from '../../store/catalog/drafts.ts'
import type { DraftFolder } from '../../store/files/draft-folder.ts'
import { UnreadFileError } from '../edition/unread-file.ts'
import { asMended, attemptIngest, type Look, type Seen } from '../ingest.ts'
import { type Asked, askedOf } from './decisions.ts'
import { keepReading as shareReading } from './draft-objects.ts'
import { type DraftPlace, sayToPublisher, sourceOf } from './draft-place.ts'
import { decodeOnce, ingestRequest, type StoredReading } from './draft-request.ts'
import { fetchDraft } from './fetch-draft.ts'
import { type DraftReading, describeReading, describeUnread } from './reading-report.ts'

const PREVIEW_RECORDS = 10_000
const SHOWN = 50
/** Smaller files are read as a whole as fast as their beginning. */
const PREVIEW_FROM_BYTES = 1 << 20
/** Rows in quarantine, or mended, that a draft lists. */
const MOST_LISTED = 100_000

type Sheets = StoredReading['sheets']

export async function readDraft(place: DraftPlace, claimed: Draft): Promise<void> {
  const draft =
    claimed.address !== null && claimed.fetched === null ? await fetchDraft(place, claimed) : claimed
  if (draft === null) return
  const asked = askedOf(place.catalog, draft)
  const { bytes, sheets } = await decodeDraft(place.folder, draft, asked)
  if (bytes >= PREVIEW_FROM_BYTES) await preview(place, draft, asked, sheets)
  await readWhole(place, draft, asked, sheets)
}

/** Bytes of the text; none where it cannot be decoded, which the reading itself will tell. */
async function decodeDraft(
  folder: DraftFolder,
  draft: Draft,
  asked: Asked,
): Promise<Pick<DecodedSource, 'bytes' | 'sheets'>> {
  try {
    return await decodeOnce(folder, draft, settleOptions(asked.read, asked.definition?.read))
  } catch (error) {
    if (error instanceof CommandError) return { bytes: 0, sheets: [] }
    throw error
  }
}

/** The preview, which shows most of what is to be decided. What goes wrong with it, the whole file may answer. */
async function preview(place: DraftPlace, draft: Draft, asked: Asked, sheets: Sheets): Promise<void> {
  try {
    const reading = await attempt(place, draft, asked, { mostRecords: PREVIEW_RECORDS })
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
    const onRead = (seen: Seen) => {
      isTable = true
      keepDocuments(folder, seen)
    }
    const reading = await attempt(place, { ...draft, sha256 }, asked, { onRead })
    keepReading(place, draft, { ...reading, sheets, preview: false })
    await shareReading(place.dataDir, draft)
  } catch (error) {
    // What was decided does not fit the file.
    if (!(error instanceof CommandError) || error.kind === 'failed') throw error
    problem = { code: 'invalid_body', ...sayToPublisher(place, error) }
  }
  await catalog.drafts.change(draft.id, ({ revision }) =>
    revision === draft.revision
      ? { state: isTable ? 'ready' : 'refused', sha256, baseVersion, problem }
      : { sha256 },
  )
}

/** A dry run. @throws CommandError `usage` or `failed` as `attemptIngest` */
async function attempt(
  place: DraftPlace,
  draft: Draft,
  asked: Asked,
  { mostRecords, onRead }: Partial<Pick<Look, 'mostRecords' | 'onRead'>>,
): Promise<DraftReading> {
  const { dataDir, catalog } = place
  let reading: DraftReading | undefined
  const look: Look = {
    ...{ mostRecords, shownRecords: SHOWN, shownRows: SHOWN },
    onRead(seen) {
      reading = describeReading(seen)
      onRead?.(seen)
    },
  }
  const request = {
    ...ingestRequest(place, draft, asked),
    dryRun: true,
    acceptDrift: false,
    isDraft: true,
    look,
  }
  try {
    // Whether the file is served already is asked of the whole alone.
    await attemptIngest(
      { dataDir, catalog, now: () => new Date() },
      { ...request, force: mostRecords !== undefined },
    )
    return reading as unknown as DraftReading
  } catch (error) {
    if (error instanceof UnreadFileError) return describeUnread(error.report, error.records)
    throw error
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

/** The rows that are left out or were mended. */
function keepDocuments(folder: DraftFolder, seen: Seen): void {
  const { quarantine, mended } = seen.read.records
  const { path } = seen.read.decoded
  folder.write('quarantine.ndjson', toLines(quarantine.rows(path)))
  folder.write('repaired.ndjson', toLines(asMended(mended.rows(path))))
}

function* toLines(rows: Iterable<object>): Generator<string> {
  let left = MOST_LISTED
  for (const row of rows) {
    if (left-- === 0) return
    yield `${JSON.stringify(row)}\n`
  }
}
