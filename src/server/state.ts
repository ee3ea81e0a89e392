/** What the server keeps between requests, in memory. */

import { networksOf, requireRoom } from '../accounts/limits/limits.ts'
import type { App } from '../app.ts'
import { ApiError } from '../base/errors.ts'
import { networkOf } from '../base/text/ip-address.ts'
import type { Exchange } from '../http/exchange.ts'
import { KeptDocuments } from '../interop/catalog-document.ts'
import { PackageIndex } from '../interop/ckan/package-index.ts'
import { Profiles } from '../pages/dataset/profile.ts'
import { ListReader } from '../query/list/list-reader.ts'
import type { QueryShare } from '../query/query-shares.ts'
import { datasetEndpoint, type ServedDataset } from '../store/catalog/record.ts'
import type { RowReads } from '../store/catalog/search/search.ts'
import type { Answers } from './metrics/answers.ts'
import { type ListMemory, PageCache } from './rows/list-answer.ts'
import { keyReaders, openReaders, type Readers } from './rows/readers.ts'

/** Reading without a key (contract 2): rows and files, while public browsing is on, up to a number of requests a minute. */
class OpenAccess {
  readonly readers: Readers
  readonly #app: App

  constructor(app: App) {
    this.readers = openReaders(app.config)
    this.#app = app
  }

  /** Whether the rows of a dataset are shown without a key: both its publisher and the operator can close them. */
  shows({ open }: ServedDataset): boolean {
    return open && this.#app.config.public_browsing
  }

  /**
   * Counts a request that reads rows.
   * @throws ApiError `rate_limited`
   */
  async count({ ip, startedAt }: Exchange): Promise<void> {
    const { config, limits } = this.#app
    await requireRoom(limits, 'open_rows', networksOf(ip), 1, startedAt, config.public_per_minute)
  }

  /**
   * Admits a request for rows.
   * @throws ApiError `api_key_missing` for a dataset that is not shown without a key, `rate_limited`
   */
  async admit(exchange: Exchange, served: ServedDataset): Promise<void> {
    this.require(served)
    await this.count(exchange)
  }

  /** @throws ApiError `api_key_missing` for a dataset that is not shown without a key */
  require(served: ServedDataset): void {
    if (this.shows(served)) return
    const endpoint = datasetEndpoint(served.domain, served.id)
    const message = `Rows are not shown here without a key: read ${endpoint} with one.`
    throw new ApiError('api_key_missing', message)
  }

  /**
   * The datasets whose values a search without a key may look into; counts such a search.
   * @throws ApiError `rate_limited`
   */
  async readsValues(exchange: Exchange): Promise<RowReads> {
    if (!this.#app.config.public_browsing) return 'none'
    await this.count(exchange)
    return 'open'
  }

  /** The address's share of long queries. */
  share({ ip, query }: Exchange): QueryShare {
    return this.readers.shares.of(networkOf(ip), query)
  }
}

export interface ServerState {
  readonly answers: Answers
  /** Readers with a key; `open` has those without one. */
  readonly keyed: Readers
  readonly open: OpenAccess
  readonly lists: ListMemory
  readonly profiles: Profiles
  readonly documents: KeptDocuments
  readonly packages: PackageIndex
}

export function openState(app: App, answers: Answers): ServerState {
  return {
    answers,
    keyed: keyReaders(app.config),
    open: new OpenAccess(app),
    lists: { pages: new PageCache(app.config.workers), queries: new ListReader(app.config.workers) },
    profiles: new Profiles(),
    documents: new KeptDocuments(app.config.workers),
    packages: new PackageIndex(),
  }
}
