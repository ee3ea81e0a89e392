/** Rows of a file that were quarantined or repaired, as an answer: a page of them as JSON, or all of them as CSV. */

import { type Static, t } from 'elysia'
import type { App } from '../../app.ts'
import { paginationOf } from '../../base/pagination.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { accountHeaders, respondJson } from '../../http/respond.ts'
import { QUARANTINED_ROWS, REPAIRED_ROWS } from '../bodies/draft-bodies.ts'
import type { Call } from '../call.ts'
import { formParameter, limitParameter, OFFSET } from '../declaration/parameters.ts'
import { respondMade } from '../made-answer.ts'

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

export const KEPT_ROWS_QUERY = t.Object({
  limit: limitParameter(1000, 100),
  offset: OFFSET,
  format: formParameter(['json', 'csv'], 'All rows as a file (csv), or a page of them (json, the default).'),
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

function answerCsv(app: App, exchange: Call, kept: KeptRows): Promise<Response> {
  const headers = {
    ...accountHeaders(exchange),
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${kept.name}.csv"`,
  }
  return respondMade(app, exchange, headers, () => toCsv(kept), { broke: 'a list of kept rows broke' })
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
