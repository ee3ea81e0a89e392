/**
 * Records of the certificate by ACME. Lifetime: until it is renewed. Threat: a reader of the private key can pose as
 * the service. On one machine the records are files of mode 600; nodes share them in the database, sealed with
 * `acme_secret`, so a copy of the database is not enough.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Config } from '../../base/config/config.ts'
import { seal, sealingKey, unseal } from '../../base/crypto/seal.ts'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import { findSecret, putSecret } from '../../db/secrets.ts'
import type { AcmeRecord, DataDir } from '../../store/files/data-dir.ts'

export interface AcmeRecords {
  /** Undefined if nothing was written yet. */
  read(name: AcmeRecord): Promise<string | undefined>
  write(name: AcmeRecord, text: string): Promise<void>
}

/** @param accounts used only on nodes */
export function acmeRecords(config: Config, dataDir: DataDir, accounts: AccountsDb): AcmeRecords {
  const { database_url, acme_secret } = config
  return database_url === null || acme_secret === null
    ? recordsInFolder(dataDir)
    : recordsInDatabase(accounts, acme_secret)
}

export function recordsInFolder(dataDir: DataDir): AcmeRecords {
  return {
    read: async (name) => readRecord(dataDir, name),
    write: async (name, text) => writeRecord(dataDir, name, text),
  }
}

function recordsInDatabase(accounts: AccountsDb, secret: string): AcmeRecords {
  const key = sealingKey(secret, 'izvor acme')
  const rowOf = (name: AcmeRecord) => `acme_${name}`
  return {
    async read(name) {
      const sealed = await findSecret(accounts, rowOf(name))
      if (sealed === undefined) return undefined
      const text = unseal(key, name, sealed)
      if (text !== undefined) return text
      throw new CommandError(
        'failed',
        'acme_secret does not open what another node sealed in the database: it has to be the same on all nodes',
      )
    },
    write: (name, text) => putSecret(accounts, rowOf(name), seal(key, name, text)),
  }
}

/** A record of this folder; undefined without one. */
export function readRecord(dataDir: DataDir, name: AcmeRecord): string | undefined {
  try {
    return readFileSync(dataDir.acmeFile(name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw systemFailure(`cannot read ${dataDir.acmeFile(name)}`, error)
  }
}

/** Replaces a record of this folder, readable only by its owner. @throws CommandError `failed` */
export function writeRecord(dataDir: DataDir, name: AcmeRecord, text: string): void {
  const file = dataDir.acmeFile(name)
  const unfinished = `${file}.${process.pid}`
  try {
    mkdirSync(dataDir.acmeDir, { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, text, { mode: 0o600, flush: true })
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw systemFailure(`cannot write ${file}`, error)
  }
}
