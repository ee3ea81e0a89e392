/** What is known of a call while it is answered: its key and limits, and what the logs say of it. */

import type { KeyRecord } from '../accounts/keys/key-lookup.ts'
import type { Publisher } from '../accounts/people/publisher.ts'
import type { WindowState } from '../db/counts/blocks.ts'
import { Exchange } from '../http/exchange.ts'

export class CallRecord extends Exchange {
  /** The key the request was admitted with; undefined on public routes and before admission. */
  key: KeyRecord | undefined = undefined
  /** Who publishes; undefined everywhere but below `/publish/api`. */
  publisher: Publisher | undefined = undefined
  /** The key's requests of this minute; undefined for a plan without such a limit. */
  rate: WindowState | undefined = undefined
  /** Calls left of the monthly quota after this one; NaN before the call is reserved. */
  callsLeft = Number.NaN
  /** Whether the answer will cost a call of the monthly quota, as it looks now. */
  reserved = false
  /** For the log: the dataset requested, the rows sent, and whether the page came from the cache. */
  dataset: string | undefined = undefined
  rows: number | undefined = undefined
  cache: 'hit' | 'miss' | undefined = undefined
  /** The status of a refusal that its protocol sends with 200: the quota and the logs go by it. */
  refusedAs: number | undefined = undefined
  /** In which data is sent, for the use of datasets. */
  format = 'json'
}
