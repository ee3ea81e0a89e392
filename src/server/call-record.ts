/** The state of a call while it is answered: its key and limits, and what goes into the logs. */

import type { KeyRecord } from '../accounts/keys/key-lookup.ts'
import type { Publisher } from '../accounts/people/publisher.ts'
import type { WindowState } from '../db/counts/blocks.ts'
import { Exchange } from '../http/exchange.ts'

export class CallRecord extends Exchange {
  /** The key that admitted the request; undefined on public routes and before admission. */
  key: KeyRecord | undefined = undefined
  /** Who publishes; undefined everywhere but below `/publish/api`. */
  publisher: Publisher | undefined = undefined
  /** The key's requests of this minute; undefined for a plan without such a limit. */
  rate: WindowState | undefined = undefined
  /** Calls left of the monthly quota after this one; NaN before the call is reserved. */
  callsLeft = Number.NaN
  /** Whether the answer will, as things stand, cost a call of the monthly quota. */
  reserved = false
  /** For the log: the dataset requested, the rows sent, and whether the page came from the cache. */
  dataset: string | undefined = undefined
  rows: number | undefined = undefined
  cache: 'hit' | 'miss' | undefined = undefined
  /** The status of a refusal that its protocol sends with 200; the quota and the logs use it. */
  refusedAs: number | undefined = undefined
  /** The format of the data sent, for the usage of datasets. */
  format = 'json'
}
