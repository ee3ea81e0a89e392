/** Publishes a draft by the verb of the command `ingest`: its gates, its transaction, in which the draft changes as well. */

import { releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Definition } from '../../read/definition/definition.ts'
import { settleOptions } from '../../read/definition/read-options.ts'
import { type Draft, type DraftProblem, markPublished } from '../../store/catalog/drafts.ts'
import { settleEdition } from '../edition/edition.ts'
import type { IngestReport } from '../edition/report.ts'
import { showAddress } from '../fetch/address.ts'
import { ingestEdition } from '../ingest.ts'
import { type Answers, describeRefusals, OUTDATED } from './answers.ts'
import { type Asked, askedOf, resultingDefinition } from './decisions.ts'
import { dropSource } from './draft-objects.ts'
import { type DraftPlace, decodeOnce, findDraftFile, progressWriter } from './draft-place.ts'
import { storedReading } from './draft-reading.ts'

export async function publishDraft(place: DraftPlace, draft: Draft): Promise<void> {
  const { catalog, dataDir, folder, order } = place
  const { id, baseVersion } = draft
  const answers = (draft.answers ?? {}) as Answers
  const asked = askedOf(catalog, draft)
  try {
    const definition = definitionOf(place, draft, asked, answers)
    using work = releasing(dataDir.claimWorkFolder())
    const edition = await settleEdition(place, findDraftFile(folder, draft), {
      file: draft.fileName,
      id: asked.id,
      domain: asked.domain,
      read: asked.read,
      knownDefinition: definition,
      byPublisher: isPublishersAddress(catalog, draft, asked.id, definition),
      maxQuarantine: answers.max_quarantine ?? undefined,
      maxMended: answers.max_mended ?? undefined,
    })
    const options = settleOptions(edition.asked, edition.identity.definition?.read)
    const report = await ingestEdition(place, edition, {
      decoded: await decodeOnce(folder, draft, options),
      workFolder: work.path,
      settings: order.settings,
      acceptDrift: answers.accept_drift ?? false,
      acceptShrink: answers.accept_shrink,
      maxQuarantine: answers.max_quarantine ?? undefined,
      maxMended: answers.max_mended ?? undefined,
      publication: {
        expected: baseVersion,
        alongside: (tx, version) => markPublished(tx, id, version, formatTimestamp(place.now())),
      },
      onProgress: progressWriter(folder),
    })
    if (report.refusals.length > 0) await putBack(place, draft, describeRefusals(report.refusals, answers))
    else if (report.unchanged) await markUnchanged(place, draft, report)
  } catch (error) {
    const served = catalog.find(asked.id)?.version ?? null
    if (!(error instanceof CommandError) || served === baseVersion) throw error
    await putBack(place, draft, OUTDATED)
  }
  if ((await catalog.drafts.find(id))?.state !== 'ready') await dropSource(dataDir, id)
}

/**
 * The definition that is kept with the version. Where nothing was decided the dataset's own stays, so that the same file is
 * found to be the same.
 */
function definitionOf(
  { catalog, dataDir }: DraftPlace,
  draft: Draft,
  asked: Asked,
  answers: Answers,
): Definition | null {
  const { report } = storedReading(dataDir, draft) ?? {}
  if (report === undefined || report.dialect === null) throw new Error(`the draft ${draft.id} was not read`)
  const isDecided = Object.keys(draft.changes).length > 0
  if (!isDecided && report.unchanged) return asked.definition
  const own = isDecided ? null : asked.definition
  const definition = own ?? resultingDefinition(catalog, draft, report)
  const { allow_personal_data: allowed = [] } = answers
  const columns = allowed === true ? report.personal_data.map(({ column }) => column) : allowed || []
  if (columns.length === 0) return definition
  return { ...definition, personal_data: [...new Set([...(definition.personal_data ?? []), ...columns])] }
}

/** Whether the address to fetch the dataset from is another one than the operator set. */
function isPublishersAddress(
  catalog: DraftPlace['catalog'],
  { address }: Draft,
  id: string,
  definition: Definition | null,
): boolean {
  const known = catalog.sources.find(id)
  if (known === undefined || known.byPublisher || known.options.by_publisher === true) return true
  return known.address !== showAddress(address ?? definition?.source_url ?? '')
}

async function putBack({ catalog }: DraftPlace, draft: Draft, problem: DraftProblem): Promise<void> {
  await catalog.drafts.change(draft.id, () => ({ state: 'ready', answers: null, problem }))
}

async function markUnchanged(
  { catalog }: DraftPlace,
  draft: Draft,
  { version }: IngestReport,
): Promise<void> {
  const changedAt = formatTimestamp(new Date())
  await catalog.drafts.change(draft.id, () => ({ state: 'unchanged', version, problem: null, changedAt }))
}
