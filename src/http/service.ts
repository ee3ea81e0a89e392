/** What the routes need of the program; `openApp` puts it together. */

import type { Logger } from 'pino'
import type { AccountService } from '../accounts/account-service.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config.ts'
import type { OpenDatasets } from '../datasets/open-datasets.ts'
import type { AccountsDb } from '../db/accounts.ts'
import type { KeyLookup } from '../keys/key-lookup.ts'
import type { DataDir } from '../storage/data-dir.ts'
import type { UsageRecorder } from '../usage/usage.ts'
import type { Answers } from './answers.ts'

export interface Service {
  readonly config: Config
  readonly dataDir: DataDir
  readonly accounts: AccountsDb
  /** What the verbs on accounts work with, over the same database. */
  readonly accountService: AccountService
  readonly catalog: Catalog
  readonly keys: KeyLookup
  readonly usage: UsageRecorder
  readonly openDatasets: OpenDatasets
  /** Seals cursors; the same for every process on the data folder. */
  readonly cursorSecret: Uint8Array
  readonly log: Logger
  /** Told of every answer; knows whether the service is about to stop. */
  readonly answers: Answers
  readonly startedAt: Date
  readonly now: () => Date
}
