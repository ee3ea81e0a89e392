/**
 * An export of rows as an answer. A whole dataset is a file of its version, with its length, its digest and ranges (contract
 * 8; RFC 9110, 14).
 */

import { open } from 'node:fs/promises'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { compressStream, type Encoding, negotiateEncoding } from '../../http/compression.ts'
import { describeError, respondDescribed } from '../../http/errors.ts'
import { notModified } from '../../http/etag.ts'
import { contentRange, fileBody, isSameFile, readRange } from '../../http/file-body.ts'
import { preferredType } from '../../http/negotiation.ts'
import { isHead } from '../../http/plain-requests.ts'
import { type AnswerHeaders, respond, respondFile, respondStream } from '../../http/respond.ts'
import { exportDataset } from '../../query/files/export.ts'
import { exportContents, requireSheetRows } from '../../query/files/export-contents.ts'
import { DEFAULT_FORMAT, type ExportFormat, FORMAT_TABLE } from '../../query/formats.ts'
import { type ExportRequest, parseExportQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { BulkFile } from '../../store/files/bulk-folder.ts'
import type { Call } from '../call.ts'
import { type AskedFile, answerFile } from './file-answer.ts'
import type { Readers } from './readers.ts'

/**
 * Answers with the file of the rows that match.
 * @throws ApiError 422 codes, and as `answerFile`
 */
export async function answerExport(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
): Promise<Response> {
  exchange.dataset = served.id
  const query = parseExportQuery(exchange.query, schemaOf(served), acceptedFormat(exchange.request))
  return answerRowsFile(app, exchange, served, readers, query)
}

/**
 * As `answerExport`, of a query that was read.
 * @throws ApiError as `answerFile`
 */
export async function answerRowsFile(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  query: ExportRequest,
): Promise<Response> {
  requireSheetRows(query, served.rows)
  const record = app.catalog.record(served.id, served.version)
  if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
  const file: AskedFile = {
    ...query,
    kind: 'export',
    isNegotiated: true,
    chunks: (dataset, onRows) => exportContents(dataset, query, record, onRows),
  }
  const whole = asksForAll(file) ? await answerBulkFile(app, exchange, served, readers, file) : null
  return whole ?? answerFile(app, exchange, served, readers, file)
}

/** The format that `Accept` names, where `format` is absent. */
function acceptedFormat({ headers }: Request): ExportFormat {
  const rows = Object.values(FORMAT_TABLE)
  const types = rows.map((row) => row.contentType.split(';')[0]!)
  const type = preferredType(headers.get('accept'), types)
  return type === undefined ? DEFAULT_FORMAT : rows[types.indexOf(type)]!.name
}

/** Parts up to this size are read at once: most ranges that readers of Parquet ask for. */
const SMALL_BYTES = 2 ** 18

/** Whether a request is for all rows and columns as they are, so that its answer is a file of the version. */
function asksForAll({ parameters }: AskedFile): boolean {
  return parameters.every(({ name }) => name === 'format')
}

/**
 * Answers with the file, or with a part of it. The first request makes it, and others wait for the same.
 * @returns null where there is no room for the file
 * @throws as `answerFile`
 */
async function answerBulkFile(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  file: AskedFile,
): Promise<Response | null> {
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
  const { contentType, isPacked } = FORMAT_TABLE[file.format]
  const given = request.headers.get('range')
  const encoding =
    isPacked || given !== null ? null : negotiateEncoding(request.headers.get('accept-encoding'))
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
  const own = {
    ...headers,
    ETag: etag,
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${served.id}.${file.format}"`,
  }
  if (encoding !== null && !isHead(request)) {
    return sendEncoded(app, exchange, served, readers, found, encoding, own)
  }
  const identity = { ...own, 'Repr-Digest': `sha-256=:${digest.toString('base64')}:` }
  return sendFile(
    app,
    exchange,
    served,
    found,
    given,
    encoding === null ? identity : { ...own, 'Content-Encoding': encoding },
  )
}

/** The file as it is, or the part of it that is asked for. */
async function sendFile(
  app: App,
  exchange: Call,
  served: ServedDataset,
  found: BulkFile,
  given: string | null,
  headers: AnswerHeaders & { readonly ETag: string; readonly 'Last-Modified': string },
): Promise<Response> {
  const { request } = exchange
  const isRanged =
    !isHead(request) && isSameFile(request.headers.get('if-range'), headers.ETag, headers['Last-Modified'])
  const range = isRanged ? readRange(given, found.bytes) : undefined
  if (range === null) {
    const refusal = outOfRange(given, found.bytes)
    return respondDescribed(
      exchange,
      describeError(exchange, refusal, { 'Content-Range': `bytes */${found.bytes}` }),
    )
  }
  const status = range === undefined ? 200 : 206
  const bytes = range === undefined ? found.bytes : range.to - range.from
  exchange.rows = range === undefined ? served.rows : 0
  if (bytes <= SMALL_BYTES && !isHead(request)) {
    const part = await Bun.file(found.path)
      .slice(range?.from ?? 0, range?.to ?? bytes)
      .bytes()
    const ofPart = range === undefined ? {} : { 'Content-Range': contentRange(range, found.bytes) }
    return respond(exchange, status, { ...headers, ...ofPart }, part)
  }
  const { body, headers: ofPart } = fileBody(found.path, found.bytes, range, given !== null)
  if (isHead(request)) return respond(exchange, status, { ...headers, ...ofPart }, body)
  const over = app.bulkFiles.hold(found)
  const cut = app.openDatasets.endOf(served)
  return respondFile(exchange, status, { ...headers, ...ofPart }, body, bytes, { over, cut })
}

function outOfRange(given: string | null, bytes: number): ApiError {
  const message = `The file has ${bytes} bytes, and the range "${given}" starts past the end.`
  return new ApiError('range_not_satisfiable', message, [{ location: 'header.range', message }])
}

/** The file compressed on its way. Its length is not known, and ranges are of the file as it is. */
function sendEncoded(
  app: App,
  exchange: Call,
  served: ServedDataset,
  { slots, readerOf }: Readers,
  found: BulkFile,
  encoding: Encoding,
  headers: AnswerHeaders,
): Response {
  const done = slots.take(readerOf(exchange))
  const release = app.bulkFiles.hold(found)
  exchange.rows = served.rows
  const source = compressStream(readFile(found), encoding)
  return respondStream(exchange, { ...headers, 'Content-Encoding': encoding }, source, {
    failed: (error) =>
      app.log.error({ err: error, request_id: exchange.requestId, dataset: served.id }, 'an export broke'),
    over: () => {
      done()
      release()
    },
    cut: app.openDatasets.endOf(served),
  })
}

/** Bytes that are read at a time. */
const PIECE = 2 ** 17

/** The pieces of a file, each lent until the next is asked for: new ones become garbage faster than it is collected. */
async function* readFile({ path, bytes }: BulkFile): AsyncGenerator<Uint8Array> {
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
