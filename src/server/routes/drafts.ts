/** Drafts, files that are to become editions: `/publish/api/drafts` (contract 10). */

import { type TSchema, t } from 'elysia'
import { readPieces } from '../../http/body.ts'
import { dispositionName, plainFileName } from '../../http/headers.ts'
import { accountHeaders, respondJson } from '../../http/respond.ts'
import { addAddress, addUpload, receiveFile } from '../../publish/drafts/add-draft.ts'
import { describeDraft, summarizeDraft } from '../../publish/drafts/describe-draft.ts'
import {
  askToPublish,
  decide,
  definitionOf,
  discard,
  requireDraft,
  settled,
} from '../../publish/drafts/desk.ts'
import { refuseManyDrafts } from '../../publish/drafts/draft-order.ts'
import { keptRows } from '../../publish/drafts/draft-reading.ts'
import { accountRoute } from '../admission/account-route.ts'
import { requirePublisher } from '../admission/session.ts'
import { DRAFT, DRAFT_CHANGES, DRAFT_LIST, DRAFT_SOURCE, PUBLISH_ANSWERS } from '../bodies/draft-bodies.ts'
import { integerParameter, textParameter } from '../declaration/parameters.ts'
import type { Route } from '../declaration/route.ts'
import { answerKeptRows, KEPT_KINDS, KEPT_ROWS_QUERY, type KeptKind } from '../rows/kept-rows-answer.ts'

const DRAFTS = '/publish/api/drafts'

const UPLOAD_QUERY = t.Object({
  filename: textParameter('filename', [/^.{1,1000}$/su, 'must have 1 to 1000 characters'], {
    description: 'The name of the file, where `Content-Disposition` does not say it.',
    examples: ['prices.csv'],
  }),
  dataset: textParameter('dataset', [/^[a-z0-9_]{1,64}$/, 'must be the id of a dataset'], {
    description: 'The dataset that the file is an edition of; by default found by the name of the file.',
  }),
})

/** `PUT` is for `curl -T`. */
function uploadRoute(method: 'POST' | 'PUT', id: string): Route {
  return accountRoute('publisher', `${method} ${DRAFTS}`, {
    id,
    takesFile: true,
    bringsFile: true,
    summary: 'Upload a file',
    description: 'The body is the file, of whatever type. A separate process reads it: see `state`.',
    query: UPLOAD_QUERY,
    success: [201, DRAFT],
    errors: ['dataset_not_found', 'invalid_body', 'service_unavailable'],
    async answer({ app, exchange, publisher: asking, query }) {
      const { headers } = exchange.request
      const length = headers.get('content-length')
      refuseManyDrafts(app.config, await app.catalog.drafts.held(asking), Number(length ?? 0))
      const received = await receiveFile(app.dataDir, readPieces(exchange), {
        floor: app.config.disk_floor,
        declared: length === null ? null : Number(length),
      })
      const name = plainFileName(query.filename ?? dispositionName(headers.get('content-disposition')) ?? '')
      // The session may have ended during the upload.
      const publisher = await requirePublisher(app, exchange).catch((error: unknown) => {
        received.work.release()
        throw error
      })
      const named = { fileName: name === '' ? 'upload' : name, dataset: query.dataset }
      return describeDraft(app, await addUpload(app, publisher, received, named), publisher)
    },
  })
}

function keptRowsRoute(kind: KeptKind, id: string, summary: string): Route {
  return accountRoute('publisher', `GET ${DRAFTS}/:draft/${kind}`, {
    id,
    summary,
    description: 'At most the first 100,000.',
    query: KEPT_ROWS_QUERY,
    success: [200, KEPT_KINDS[kind].body as TSchema],
    async answer({ app, exchange, publisher, params, query }) {
      const draft = await requireDraft(app, publisher, params.draft)
      const kept = { kind, name: kind, rows: () => keptRows(app.dataDir, draft, `${kind}.ndjson`) }
      return answerKeptRows(app, exchange, kept, query)
    },
  })
}

/** Another account's draft is a 404. */
export const DRAFT_ROUTES: readonly Route[] = [
  accountRoute('publisher', `GET ${DRAFTS}`, {
    id: 'listDrafts',
    summary: 'List the drafts of the account, or of the key',
    success: [200, DRAFT_LIST],
    answer: async ({ app, publisher }) =>
      (await app.catalog.drafts.list(publisher)).map((draft) => summarizeDraft(app, draft)),
  }),
  uploadRoute('POST', 'uploadDraft'),
  uploadRoute('PUT', 'putDraft'),
  accountRoute('publisher', `POST ${DRAFTS}/from-address`, {
    id: 'fetchDraft',
    bringsFile: true,
    summary: 'Have a file fetched',
    body: DRAFT_SOURCE,
    bodyExample: { source: 'https://example.org/prices.csv' },
    success: [201, DRAFT],
    errors: ['dataset_not_found'],
    answer: async ({ app, publisher, body }) =>
      describeDraft(app, await addAddress(app, publisher, body.source, body.dataset), publisher),
  }),
  accountRoute('publisher', `GET ${DRAFTS}/:draft`, {
    id: 'showDraft',
    summary: 'Show a draft: how it is read, what it would serve, what prevents its publication',
    query: t.Object({
      wait: integerParameter(
        'wait',
        { min: 0, max: 25, fallback: 0 },
        { description: 'Seconds to wait for the work on the draft to end.', examples: [10] },
      ),
    }),
    success: [200, DRAFT],
    async answer({ app, publisher, params, query }) {
      const { id } = await requireDraft(app, publisher, params.draft)
      if (query.wait > 0) await settled(app, id, query.wait)
      return describeDraft(app, await requireDraft(app, publisher, id), publisher)
    },
  }),
  accountRoute('publisher', `PATCH ${DRAFTS}/:draft`, {
    id: 'changeDraft',
    summary: 'Decide how a draft is read and what it becomes',
    description:
      'Any field of a definition; `read` is merged option by option, null removes a field. `dataset` makes it an edition of a dataset, null a new one. The draft is read again, except for changes of texts.',
    body: DRAFT_CHANGES,
    bodyExample: { domain: 'economy', read: { header_row: 3 } },
    success: [200, DRAFT],
    errors: ['draft_not_ready', 'dataset_not_found'],
    async answer({ app, publisher, params, body }) {
      const draft = await requireDraft(app, publisher, params.draft)
      return describeDraft(app, await decide(app, publisher, draft, body), publisher)
    },
  }),
  accountRoute('publisher', `POST ${DRAFTS}/:draft/publish`, {
    id: 'publishDraft',
    summary: 'Publish a draft as the next edition',
    description: 'Waits up to 25 seconds; 202 when the publication takes longer: see `state`.',
    body: PUBLISH_ANSWERS,
    bodyExample: { accept_drift: false },
    success: [200, DRAFT],
    alsoAnswers: { 202: { says: 'It is still being published.', body: DRAFT } },
    errors: [
      ...(['draft_not_ready', 'draft_outdated', 'schema_drift', 'too_many_quarantined'] as const),
      ...(['too_many_mended', 'too_few_rows', 'personal_data', 'duplicate_key', 'invalid_body'] as const),
    ],
    async answer({ app, exchange, publisher, params, body }) {
      const draft = await requireDraft(app, publisher, params.draft)
      const done = await askToPublish(app, publisher, draft, body)
      const described = describeDraft(app, done, publisher)
      if (done.state === 'published') {
        const late = await app.catalog.lateNodes(described.dataset.id)
        return late.length === 0 ? described : { ...described, late_nodes: late }
      }
      if (done.state !== 'publishing') return described
      return respondJson(exchange, 202, accountHeaders(exchange), described)
    },
  }),
  accountRoute('publisher', `DELETE ${DRAFTS}/:draft`, {
    id: 'deleteDraft',
    summary: 'Remove a draft with its file',
    success: [204],
    errors: ['draft_not_ready'],
    async answer({ app, publisher, params }) {
      await discard(app, await requireDraft(app, publisher, params.draft))
    },
  }),
  accountRoute('publisher', `GET ${DRAFTS}/:draft/definition`, {
    id: 'showDraftDefinition',
    summary: 'Download the definition that results',
    success: [200, t.Unsafe<object>({ type: 'object' })],
    headers: ['Content-Disposition'],
    errors: ['draft_not_ready'],
    async answer({ app, exchange, publisher, params }) {
      const draft = await requireDraft(app, publisher, params.draft)
      const definition = definitionOf(app, draft)
      const name = { 'Content-Disposition': `attachment; filename="${definition.id}.json"` }
      return respondJson(exchange, 200, { ...accountHeaders(exchange), ...name }, definition)
    },
  }),
  keptRowsRoute('quarantine', 'listDraftQuarantine', 'List the rows that cannot be imported'),
  keptRowsRoute('repaired', 'listDraftRepaired', 'List the rows of another width that were repaired'),
]
