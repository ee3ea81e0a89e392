/** Finds out whether the service of a data directory answers at an address. */

import { existsSync } from 'node:fs'
import { closing } from '../../base/closing.ts'
import { type Config, speaksHttps } from '../../base/config/config.ts'
import { openDatabase } from '../../db/open.ts'
import { readSecret } from '../../db/secrets.ts'
import { PROBE_HEADER, type ProbeAnswer, sealProbe } from '../../server/proxy-probe.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { notedService } from '../../store/files/service-file.ts'
import { withAccounts } from './folder.ts'

/** Reserved for documentation (RFC 5737), so no client has it. */
export const MADE_UP_CLIENT = '192.0.2.123'

interface Place {
  readonly config: Config
  readonly folder: DataDir
  readonly now: () => Date
}

/** For requests to this machine, whose name need not be in the certificate. */
export const OWN_MACHINE = { tls: { rejectUnauthorized: false } }

/**
 * Asks an address.
 * @returns a text that says why there was no answer, or the probe; `probe` is null when the service that answered lacks
 *   the secret of this data directory (all nodes have it) or serves a copy of the directory
 */
export async function askService(place: Place, address: string, tls: object = {}) {
  const secret = await readProbeSecret(place)
  const headers = {
    'X-Forwarded-For': MADE_UP_CLIENT,
    ...(secret !== undefined && { [PROBE_HEADER]: sealProbe(secret, place.now()) }),
  }
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const answer = await fetch(`${address}/health/live`, { headers, redirect: 'manual', signal, ...tls })
    await answer.body?.cancel()
    const said = answer.headers.get(PROBE_HEADER)
    const probe = said === null ? null : (JSON.parse(said) as ProbeAnswer)
    const isOurs = place.config.database_url !== null || probe?.folder === place.folder.mark()
    return { probe: isOurs ? probe : null }
  } catch (error) {
    return explainNoAnswer(error)
  }
}

/** The address where the service of a directory answers; undefined when there is none. */
export async function findService(place: Place): Promise<string | undefined> {
  const noted = notedService(place.folder)?.address
  if (noted === undefined) return undefined
  const asked = await askService(place, noted, OWN_MACHINE)
  return typeof asked === 'string' || asked.probe === null ? undefined : noted
}

/** The secret that also seals cursors; undefined without a data directory. @throws DatabaseAway */
async function readProbeSecret({ config, folder }: Place): Promise<Uint8Array | undefined> {
  if (config.database_url !== null)
    return await withAccounts(config, folder, (accounts) => readSecret(accounts, 'cursors'))
  const { accountsDb } = folder
  if (!existsSync(accountsDb)) return undefined
  using database = closing(openDatabase(accountsDb, { readonly: true }))
  const row = database.prepare("SELECT bytes FROM secrets WHERE name = 'cursors'").get()
  return (row as { bytes: Uint8Array } | undefined)?.bytes
}

/** Time for an answer, in ms. */
export const ANSWER_TIMEOUT_MS = 5000

/** Without a slash at the end. An address that means all of the machine's becomes the loopback address. */
export function serviceAddress(config: Pick<Config, 'host' | 'port' | 'tls_cert' | 'acme_host'>): string {
  const { host, port } = config
  const scheme = speaksHttps(config) ? 'https' : 'http'
  if (host === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`
  if (host === '::') return `${scheme}://[::1]:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Why a request to the service failed, as half a sentence. */
export function explainNoAnswer(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `it took longer than ${ANSWER_TIMEOUT_MS / 1000} seconds`
  return code === 'ConnectionRefused' || code === 'ECONNREFUSED' ? 'nothing listens there' : message
}
