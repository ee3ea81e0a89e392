/** Readers of rows (keys below `/v1`, addresses elsewhere): how much each may read at once, and their answers' headers. */

import type { App } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { LIMITS } from '../../base/limits.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { API_HEADERS, JSON_TYPE, PUBLIC_HEADERS } from '../../http/headers.ts'
import type { AnswerHeaders } from '../../http/respond.ts'
import { type ExportSlots, exportSlots } from '../../query/files/export.ts'
import { type QueryShares, queryShares } from '../../query/query-shares.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'

/** A reader's request for rows of a dataset. */
export interface RowsCall {
  readonly app: App
  readonly exchange: Call
  readonly served: ServedDataset
  readonly readers: Readers
}

export interface Readers {
  /** The reader that a request counts for. */
  readonly readerOf: (call: Call) => number | string
  readonly shares: QueryShares
  readonly slots: ExportSlots
  readonly headers: AnswerHeaders
  /** The headers, and those of lists, ready to be copied, which is half the work of building them. */
  readonly prepared: Headers
  readonly preparedList: Headers
}

export function keyReaders({ max_exports, max_exports_total, max_queries_per_key }: Config): Readers {
  return {
    readerOf: ({ key }) => key?.keyId ?? 0,
    shares: queryShares({ by: 'key', most: max_queries_per_key }),
    slots: exportSlots({ by: 'key', most: max_exports, mostInAll: max_exports_total }),
    ...withPrepared(API_HEADERS),
  }
}

/** Readers without a key: an address has the share of a key, but together they may run fewer long queries than keys. */
export function openReaders(config: Config): Readers {
  const { max_exports_total, max_queries, max_queries_per_key, workers } = config
  const most = Math.ceil(LIMITS.open_exports.most / workers)
  const mostInAll = Math.max(1, Math.floor(max_queries / LIMITS.open_queries.share))
  return {
    readerOf: ({ ip }) => networkOf(ip),
    shares: queryShares({ by: 'address', most: max_queries_per_key, mostInAll }),
    slots: exportSlots({ by: 'address', most, mostInAll: max_exports_total }),
    ...withPrepared(PUBLIC_HEADERS),
  }
}

function withPrepared(headers: AnswerHeaders) {
  return {
    headers,
    prepared: new Headers(headers),
    preparedList: new Headers({ ...headers, 'Content-Type': JSON_TYPE }),
  }
}
