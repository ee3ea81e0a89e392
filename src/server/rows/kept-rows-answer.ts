/** Answers with the quarantined or repaired rows of a file: a page of them as JSON, or all of them as CSV. */

import { type Static, t } from 'elysia'
import type { App } from '../../app.ts'
import { paginationOf } from '../../base/pagination.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { accountHeaders, respondJson } from '../../http/respond.ts'
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import { QUARANTINED_ROWS, REPAIRED_ROWS } from '../bodies/draft-bodies.ts'
import type { Call } from '../call.ts'
import { formParameter, limitParameter, OFFSET } from '../declaration/parameters.ts'
import { respondMade } from '../made-answer.ts'

type KeptRow = QuarantinedRow | MendedRow

/** The kinds of kept rows: their bodies, and their fields in the order of CSV. */
export const KEPT_KINDS = {
  quarantine: { body: QUARANTINED_ROWS, fields: ['line', 'column', 'reason', 'raw'] },
  repaired: { body: REPAIRED_ROWS, fields: ['line', 'kind', 'raw'] },
} as const
export type KeptKind = keyof typeof KEPT_KINDS

interface KeptRows {
  readonly kind: KeptKind
  /** File name of the download, without its extension. */
  readonly name: string
  /** Where it is known, `rows` starts at any offset; else always at the first row. */
  readonly total?: number
  readonly rows: (offset: number) => AsyncIterable<KeptRow> | Iterable<KeptRow>
}

/** The most characters of texts on a page, which has fewer rows where texts are long. */
const MOST_CHARACTERS = 2_000_000

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
  const data: KeptRow[] = []
  let characters = 0
  let at = kept.total === undefined ? 0 : offset
  for await (const row of kept.rows(at)) {
    const isFull = data.length >= limit || characters > MOST_CHARACTERS
    if (isFull && kept.total !== undefined) break
    if (at++ < offset || isFull) continue
    data.push(row)
    characters += row.raw.length
  }
  const pagination = paginationOf({ total: kept.total ?? at, count: data.length, limit, offset })
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
  for await (const row of rows(0)) {
    const cells: Readonly<Record<string, unknown>> = { ...row }
    gathered += `${fields.map((field) => csvCell(String(cells[field] ?? ''))).join(',')}\r\n`
    if (gathered.length < GATHERED) continue
    yield encoder.encode(gathered)
    gathered = ''
  }
  yield encoder.encode(gathered)
}
