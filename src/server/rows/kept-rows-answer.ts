/** Rows of a file that were quarantined or repaired, as an answer: a page of them as JSON, or all of them as CSV. */

import { type Static, t } from 'elysia'
import type { App } from '../../app.ts'
import { paginationOf } from '../../base/pagination.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { isHead } from '../../http/plain-requests.ts'
import { accountHeaders, respond, respondJson, respondStream } from '../../http/respond.ts'
import { emptyStream } from '../../http/stream.ts'
import { QUARANTINED_ROWS, REPAIRED_ROWS } from '../bodies/draft-bodies.ts'
import type { Call } from '../call.ts'
import { limitParameter, OFFSET, parameter } from '../declaration/parameters.ts'

type KeptRow = Readonly<Record<string, string | number | null>>

/** The kinds of kept rows: their bodies, and their fields in the order of CSV. */
export const KEPT_KINDS = {
  quarantine: { body: QUARANTINED_ROWS, fields: ['line', 'column', 'reason', 'raw'] },
  repaired: { body: REPAIRED_ROWS, fields: ['line', 'kind', 'raw'] },
} as const
export type KeptKind = keyof typeof KEPT_KINDS

interface KeptRows {
  readonly kind: KeptKind
  /** Of the download, without its ending. */
  readonly name: string
  readonly rows: () => AsyncIterable<KeptRow> | Iterable<KeptRow>
  /** Where a page can be read without the rows before it. */
  readonly pages?: { readonly total: number; page(limit: number, offset: number): readonly KeptRow[] }
}

const FORMATS = ['json', 'csv']

export const KEPT_ROWS_QUERY = t.Object({
  limit: limitParameter(1000, 100),
  offset: OFFSET,
  format: parameter<string | undefined>(
    {
      type: 'string',
      enum: FORMATS,
      description: 'All rows as a file (csv), or a page of them (json, the default).',
    },
    {
      fallback: undefined,
      code: 'invalid_format',
      read(text, note) {
        if (!FORMATS.includes(text)) note({ message: 'parameter "format" must be json or csv' })
        return text
      },
    },
  ),
})

export async function answerKeptRows(
  app: App,
  exchange: Call,
  kept: KeptRows,
  { limit, offset, format }: Static<typeof KEPT_ROWS_QUERY>,
): Promise<Response> {
  if (format === 'csv') return answerCsv(app, exchange, kept)
  const { rows, pages } = kept
  let total = pages?.total ?? 0
  const data = pages === undefined ? [] : [...pages.page(limit, offset)]
  if (pages === undefined) {
    for await (const row of rows()) {
      if (total >= offset && data.length < limit) data.push(row)
      total++
    }
  }
  const pagination = paginationOf({ total, count: data.length, limit, offset })
  return respondJson(exchange, 200, accountHeaders(exchange), { data, pagination })
}

function answerCsv(app: App, exchange: Call, kept: KeptRows): Response {
  const headers = {
    ...accountHeaders(exchange),
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${kept.name}.csv"`,
  }
  if (isHead(exchange.request)) return respond(exchange, 200, headers, emptyStream())
  return respondStream(exchange, headers, toCsv(kept), {
    failed: (error) =>
      app.log.error({ err: error, request_id: exchange.requestId }, 'a list of kept rows broke'),
    over: () => {},
  })
}

const GATHERED = 1 << 16

async function* toCsv({ kind, rows }: KeptRows): AsyncGenerator<Uint8Array> {
  const { fields } = KEPT_KINDS[kind]
  const encoder = new TextEncoder()
  let gathered = `${fields.join(',')}\r\n`
  for await (const row of rows()) {
    gathered += `${fields.map((field) => csvCell(String(row[field] ?? ''))).join(',')}\r\n`
    if (gathered.length < GATHERED) continue
    yield encoder.encode(gathered)
    gathered = ''
  }
  yield encoder.encode(gathered)
}
