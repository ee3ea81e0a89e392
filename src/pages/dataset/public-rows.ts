/**
 * `/datasets/{id}/rows`, `/chart` and `/download`: what the explorer shows and saves, without a key. The same query
 * language, envelope and files as `/v1`.
 */

import type { ServedDataset } from '../../catalog/record.ts'
import {
  cursorSealer,
  type ListedPage,
  listByCursor,
  listByOffset,
  startOfWalk,
} from '../../datasets/list.ts'
import { readList } from '../../datasets/list-reader.ts'
import { parseExportQuery, parseListQuery } from '../../datasets/query.ts'
import { countValues } from '../../engine/value-counts.ts'
import { stampEnvelope, stampOf } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { answerWithExport } from '../../http/export-answer.ts'
import { JSON_TYPE, PUBLIC_HEADERS } from '../../http/headers.ts'
import { renderPage } from '../../http/rendered-page.ts'
import { respondCompressed, respondJson } from '../../http/respond.ts'
import { readQueryString, writeQueryString } from '../../text/query-string.ts'
import { makeChart } from '../explorer/chart.ts'
import type { PublicAccess } from './public-access.ts'
import { requireDataset, schemaOf } from './served.ts'

/** Answers `GET /datasets/{id}/rows`: the list envelope. */
export async function answerRows(exchange: Exchange, id: string, access: PublicAccess): Promise<Response> {
  const { service } = exchange
  const { config, cursorSecret, openDatasets } = service
  const served = requireDataset(service, id)
  access.admit(exchange, served)
  const list = readList(exchange.query, schemaOf(served))
  const { query } = list
  const from = startOfWalk(cursorSecret, served, query)
  const count = query.count ?? served.rows < config.very_large_rows
  const etag = tagOf(exchange, served, count)
  const unchanged = notModified(exchange, etag, PUBLIC_HEADERS)
  if (unchanged !== undefined) return unchanged
  access.requireShare(exchange)
  const seal = cursorSealer(cursorSecret, served, query)
  // Put into the envelope before anything else can run: the rows are lent.
  const write = (listed: ListedPage) => respondRows(exchange, served, listed, etag)
  const answer = openDatasets.use(served, (dataset) => {
    const listed =
      from === undefined
        ? listByOffset(dataset, list, count, exchange)
        : listByCursor(dataset, list, from, exchange, seal)
    return listed instanceof Promise ? listed.then(write) : write(listed)
  })
  return await access.hold(exchange, answer)
}

function respondRows(exchange: Exchange, served: ServedDataset, listed: ListedPage, etag: string): Response {
  const { envelope, link } = renderPage(listed, served, etag)
  stampEnvelope(envelope, stampOf(exchange.startedAt))
  const headers = {
    ...PUBLIC_HEADERS,
    'Content-Type': JSON_TYPE,
    ETag: etag,
    ...(link !== undefined && { Link: link }),
  }
  return respondCompressed(exchange, 200, headers, envelope.bytes)
}

/** Answers `GET /datasets/{id}/chart?chart=column`: how often values occur in the rows that the filters match. */
export async function answerChart(exchange: Exchange, id: string, access: PublicAccess): Promise<Response> {
  const served = requireDataset(exchange.service, id)
  access.admit(exchange, served)
  const { parameters } = readQueryString(exchange.query)
  const name = parameters.find((parameter) => parameter.name === 'chart')?.value
  const rest = writeQueryString(parameters.filter((parameter) => parameter.name !== 'chart'))
  const schema = schemaOf(served)
  // A column that is not there is refused as one that is to be shown.
  const query = parseListQuery(
    `${rest}${rest === '' ? '' : '&'}fields=${encodeURIComponent(name ?? '')}`,
    schema,
  )
  const etag = tagOf(exchange, served, true)
  const unchanged = notModified(exchange, etag, PUBLIC_HEADERS)
  if (unchanged !== undefined) return unchanged
  access.requireShare(exchange)
  const chart = exchange.service.openDatasets.use(served, (dataset) =>
    countValues(dataset, query.fields[0]!, query.filters, (counts) => makeChart(name!, counts)),
  )
  return respondJson(exchange, 200, { ...PUBLIC_HEADERS, ETag: etag }, await access.hold(exchange, chart))
}

/** Answers `GET /datasets/{id}/download?format=`: the file that `/v1/{domain}/{id}/export` gives. */
export async function answerDownload(
  exchange: Exchange,
  id: string,
  access: PublicAccess,
): Promise<Response> {
  const served = requireDataset(exchange.service, id)
  access.admit(exchange, served)
  const query = parseExportQuery(exchange.query, schemaOf(served))
  const etag = tagOf(exchange, served, true)
  const unchanged = notModified(exchange, etag, PUBLIC_HEADERS)
  if (unchanged !== undefined) return unchanged
  const takePlace = () => access.takeDownload(exchange)
  const headers = { ...PUBLIC_HEADERS, ETag: etag }
  return await answerWithExport(exchange, { served, query, headers, takePlace, broke: 'a download broke' })
}

/** A tag over what decides these answers: version, address, query as written. */
function tagOf({ path, query, base }: Exchange, { version, sha256 }: ServedDataset, count: boolean): string {
  return weakEtag('public', path, query, base, version, sha256, count)
}
