/**
 * Answers with files of rows or groups, with a key or without. A whole dataset is a file of its version, with a length, a
 * digest and ranges (contract 8; RFC 9110, 14).
 */

import { open } from 'node:fs/promises'
import { atEnd } from '../../base/closing.ts'
import { ApiError } from '../../base/errors.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { negotiateEncoding } from '../../http/compression.ts'
import { describeError, respondDescribed } from '../../http/errors.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { isSameFile, readRange } from '../../http/file-body.ts'
import { preferredType } from '../../http/negotiation.ts'
import { isHead } from '../../http/plain-requests.ts'
import { type AnswerHeaders, respond, respondFile } from '../../http/respond.ts'
import { exportDataset, type FileContents } from '../../query/files/export.ts'
import { exportContents, requireSheetRows } from '../../query/files/export-contents.ts'
import { DEFAULT_FORMAT, type ExportFormat, FORMAT_TABLE } from '../../query/formats.ts'
import { type ExportRequest, parseExportQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { BulkFile } from '../../store/files/bulk-folder.ts'
import { respondMade } from '../made-answer.ts'
import type { RowsCall } from './readers.ts'

interface AskedFile extends FileContents {
  readonly kind: 'export' | 'aggregate'
  readonly format: ExportFormat
  /** Whether the work before the first chunk counts as a long query of the reader. */
  readonly isLong?: boolean
  readonly parameters: readonly Parameter[]
}

/**
 * Answers with a file of the matching rows.
 * @throws ApiError 422 codes, and as `answerFile`
 */
export async function answerExport(call: RowsCall): Promise<Response> {
  const { exchange, served } = call
  exchange.dataset = served.id
  // Without `format`, `Accept` decides.
  const rows = Object.values(FORMAT_TABLE)
  const types = rows.map((row) => row.contentType.split(';')[0]!)
  const type = preferredType(exchange.request.headers.get('accept'), types)
  const format = type === undefined ? DEFAULT_FORMAT : rows[types.indexOf(type)]!.name
  return answerRowsFile(call, parseExportQuery(exchange.query, schemaOf(served), format))
}

/**
 * As `answerExport`, for a query that has been read.
 * @throws ApiError as `answerFile`
 */
export async function answerRowsFile(call: RowsCall, query: ExportRequest): Promise<Response> {
  const { app, served } = call
  requireSheetRows(query, served.rows)
  const record = app.catalog.record(served.id, served.version)
  if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
  const file: AskedFile = {
    ...query,
    kind: 'export',
    chunks: (dataset, onRows) => exportContents(dataset, query, record, onRows),
  }
  const asksForAll = query.parameters.every(({ name }) => name === 'format')
  return (asksForAll ? await answerBulkFile(call, file) : null) ?? answerFile(call, file)
}

/**
 * Answers with the file. HEAD gets the headers and does not count as a running export.
 * @throws ApiError `service_unavailable` when the reader or the service may run no further export, `rate_limited` beyond the
 *   reader's share of long queries; whatever the contents throw before their first chunk, such as DamagedFileError
 */
export async function answerFile(call: RowsCall, file: AskedFile): Promise<Response> {
  const { app, exchange, served, readers } = call
  const { kind, format, parameters, isLong } = file
  const asked = [kind, format, writeQueryString(parameters), exchange.base, exchange.key?.scopes.tag ?? '']
  const etag = weakEtag(served.id, served.version, served.sha256, ...asked)
  const unchanged = notModified(exchange, etag, readers.prepared)
  if (unchanged !== undefined) return unchanged

  const headers = {
    ...readers.headers,
    ...(kind === 'export' && { Vary: `Accept, ${readers.headers.Vary}` }),
    ETag: etag,
    ...fileHeaders(served, format),
  }
  const make = () => {
    const reader = readers.readerOf(exchange)
    exchange.format = format
    exchange.rows = 0
    return exportDataset(app.openDatasets, served, file, {
      done: readers.slots.take(reader),
      onRows: (rows) => {
        exchange.rows! += rows
      },
      ...(isLong && { share: readers.shares.of(reader, exchange.query) }),
    })
  }
  return respondMade(app, exchange, headers, make, {
    ...endOf(call),
    isPacked: FORMAT_TABLE[format].isPacked,
  })
}

function fileHeaders({ id }: ServedDataset, format: ExportFormat) {
  return {
    'Content-Type': FORMAT_TABLE[format].contentType,
    'Content-Disposition': `attachment; filename="${id}.${format}"`,
  }
}

function endOf({ app, served }: RowsCall) {
  return { broke: 'an export broke', about: { dataset: served.id }, cut: app.openDatasets.endOf(served) }
}

/**
 * Answers with the file, or with a part of it. The first request makes it; others wait for the same file.
 * @returns null where there is no room for the file
 * @throws as `answerFile`
 */
async function answerBulkFile(call: RowsCall, file: AskedFile): Promise<Response | null> {
  const { app, exchange, served, readers } = call
  const { request } = exchange
  const found = await exchange.withoutIdleLimit(() =>
    app.bulkFiles.find(served, file.format, () =>
      exportDataset(app.openDatasets, served, file, {
        done: readers.slots.take(readers.readerOf(exchange)),
        onRows: () => {},
      }),
    ),
  )
  if (found === null) return null
  const given = request.headers.get('range')
  const isPlain = FORMAT_TABLE[file.format].isPacked || given !== null
  const encoding = isPlain ? null : negotiateEncoding(request.headers.get('accept-encoding'))
  const digest = Buffer.from(found.sha256, 'hex')
  const etag = `"${digest.toString('base64url')}${encoding === null ? '' : `-${encoding}`}"`
  const headers = {
    ...readers.headers,
    Vary: `Accept, ${readers.headers.Vary}`,
    'Last-Modified': new Date(served.lastUpdated).toUTCString(),
    'Accept-Ranges': 'bytes',
  }
  const unchanged = notModified(exchange, etag, headers)
  if (unchanged !== undefined) return unchanged
  exchange.format = file.format
  const own = { ...headers, ETag: etag, ...fileHeaders(served, file.format) }
  if (encoding === null)
    return sendFile(call, found, given, {
      ...own,
      'Repr-Digest': `sha-256=:${digest.toString('base64')}:`,
    })
  return sendEncoded(call, found, own)
}

async function sendFile(
  { app, exchange, served }: RowsCall,
  found: BulkFile,
  given: string | null,
  headers: AnswerHeaders & { readonly ETag: string; readonly 'Last-Modified': string },
): Promise<Response> {
  const { request } = exchange
  const isRanged =
    !isHead(request) && isSameFile(request.headers.get('if-range'), headers.ETag, headers['Last-Modified'])
  const range = isRanged ? readRange(given, found.bytes) : undefined
  if (range === null) {
    const message = `The file has ${found.bytes} bytes, and the range "${given}" starts past the end.`
    const refusal = new ApiError('range_not_satisfiable', message, [{ location: 'header.range', message }])
    const size = { 'Content-Range': `bytes */${found.bytes}` }
    return respondDescribed(exchange, describeError(exchange, refusal, size))
  }
  const status = range === undefined ? 200 : 206
  const bytes = range === undefined ? found.bytes : range.to - range.from
  exchange.rows = range === undefined ? served.rows : 0
  const file = Bun.file(found.path)
  const body = range === undefined ? file : file.slice(range.from, range.to)
  const part = range && { 'Content-Range': `bytes ${range.from}-${range.to - 1}/${found.bytes}` }
  if (bytes <= SMALL_BYTES && !isHead(request))
    return respond(exchange, status, { ...headers, ...part }, await body.bytes())
  // For a whole file Bun answers a `Range` with its own 206, unless the answer has a `Content-Range`; an empty one has no
  // other effect.
  const own = { ...headers, ...(part ?? (given !== null && { 'Content-Range': '' })) }
  if (isHead(request)) return respond(exchange, status, own, body)
  const over = app.bulkFiles.hold(found)
  return respondFile(exchange, status, own, body, bytes, { over, cut: app.openDatasets.endOf(served) })
}

/** Parts up to this size are read into memory: most ranges that Parquet readers request. */
const SMALL_BYTES = 2 ** 18

/** Sends the file compressed on the fly, without a length; ranges apply to the uncompressed file only. */
function sendEncoded(call: RowsCall, found: BulkFile, headers: AnswerHeaders): Promise<Response> {
  const { app, exchange, served, readers } = call
  const make = () => {
    const done = readers.slots.take(readers.readerOf(exchange))
    const release = app.bulkFiles.hold(found)
    exchange.rows = served.rows
    return readFile(found, () => {
      done()
      release()
    })
  }
  return respondMade(app, exchange, headers, make, endOf(call))
}

const PIECE = 2 ** 17

/** The pieces of a file in one reused buffer, each valid until the next: new ones would outpace the collector. */
async function* readFile({ path, bytes }: BulkFile, over: () => void): AsyncGenerator<Uint8Array> {
  using _ = atEnd(over)
  const file = await open(path)
  const piece = new Uint8Array(PIECE)
  let left = bytes
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE)
      left -= bytesRead
      if (left < 0 || (bytesRead === 0 && left > 0)) throw new Error(`${path} has another length than before`)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
