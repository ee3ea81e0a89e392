/** The way to the service and from it: the service itself, its public address and the proxy before it, the mail server. */

import { existsSync } from 'node:fs'
import { openDatabase } from '../../db/open.ts'
import { PROBE_HEADER, type ProbeAnswer, sealProbe } from '../../http/proxy-probe.ts'
import { tryMailServer } from '../../mail/mailer.ts'
import { Networks } from '../../text/ip-address.ts'
import { serviceAddress } from '../service-address.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'

const TIMEOUT_MS = 5000
/** Reserved for documentation (RFC 5737): nobody really has it. */
const MADE_UP = '192.0.2.123'

/** Whether the service runs, and is the one of this folder. */
export async function checkService(site: Site): Promise<Finding[]> {
  const address = serviceAddress(site.loaded.values)
  // It is asked on this machine, under a name that its certificate need not have.
  const answer = await ask(site, address, { tls: { rejectUnauthorized: false } })
  if (typeof answer === 'string') {
    return [
      finding('service', 'note', {
        what: `No service answers at ${address}: ${answer}.`,
        why: 'The doctor looks at a folder that nobody serves, or was not told the port of the one that does.',
        remedy: `${site.program} serve   (or name its --host and --port to the doctor)`,
      }),
    ]
  }
  if (answer.probe !== null) return [fine('service', `It answers at ${address}.`)]
  return [
    finding('service', 'warning', {
      what: `Something else answers at ${address}: the service of another data folder, or another program.`,
      why: 'What the doctor says of this folder is not what clients get.',
      remedy: `${site.program} doctor --data FOLDER --port PORT   (the ones that belong together)`,
    }),
  ]
}

/** The public address, and whether what the proxy forwards is what is believed. */
export async function checkBaseUrl(site: Site): Promise<Finding[]> {
  const { base_url: base, host } = site.loaded.values
  if (base === null) {
    if (isLoopback(host)) return []
    const what = `The service listens on ${host} and has no public address.`
    const why = 'Links in answers and mails carry whatever Host a request came with.'
    return [finding('base_url', 'warning', { what, why, remedy: 'IZVOR_BASE_URL=https://data.example.org' })]
  }
  const answer = await ask(site, base)
  if (typeof answer === 'string') {
    const what = `${base} does not answer from this machine: ${answer}.`
    const why =
      'Links in mails and answers lead there. Some networks do not reach their own public address: then try from outside.'
    return [finding('base_url', 'warning', { what, why, remedy: `curl -i ${base}/health/live` })]
  }
  if (answer.probe === null) {
    const what = `What answers at ${base} is not the service of this folder, or the proxy drops the header ${PROBE_HEADER}.`
    const why = 'Links in mails and answers would lead to something else.'
    return [
      finding('base_url', 'warning', {
        what,
        why,
        remedy: `curl -i ${base}/health/live   (compare with ${serviceAddress(site.loaded.values)}/health/live)`,
      }),
    ]
  }
  return [...checkScheme(base), judgeForwarding(answer.probe, site.loaded.values.trusted_proxies)]
}

function checkScheme(base: string): Finding[] {
  if (base.startsWith('https:') || isLoopback(new URL(base).hostname)) return []
  const what = `The public address ${base} is not encrypted.`
  const why = 'API keys, passwords and session cookies can be read on the way.'
  return [
    finding('base_url', 'warning', {
      what,
      why,
      remedy: `IZVOR_BASE_URL=${base.replace(/^http:/, 'https:')}   (with TLS in the proxy)`,
    }),
  ]
}

/** What came through the proxy, asked with a made-up `X-Forwarded-For`, against what is believed. */
export function judgeForwarding(seen: ProbeAnswer, trustedProxies: string | null): Finding {
  const trusted = trustedProxies === null ? undefined : Networks.read(trustedProxies)
  const isTrusted = seen.peer !== 'unknown' && (trusted?.has(seen.peer) ?? false)
  const hops = (seen.forwarded ?? '').split(',').map((hop) => hop.trim())
  if (hops.length === 1 && hops[0] === MADE_UP) {
    // Whoever connects directly sends what it likes; nobody believes it unless it is a trusted proxy.
    if (!isTrusted)
      return fine(
        'proxy',
        `No proxy is in between, and what clients claim in X-Forwarded-For is not believed.`,
      )
    return finding('proxy', 'problem', {
      what: `The proxy at ${seen.peer} is trusted and hands on the X-Forwarded-For that clients write.`,
      why: 'Anybody can pretend to be any address: limits on sign-ins are slipped, and others get the blame.',
      remedy:
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;   (nginx; Caddy does it by itself)',
    })
  }
  if (seen.forwarded === null) {
    if (trusted === undefined) return fine('proxy', 'Nothing is forwarded, and nothing is expected to be.')
    return finding('proxy', 'warning', {
      what: `IZVOR_TRUSTED_PROXIES is set, and no X-Forwarded-For arrives from ${seen.peer}.`,
      why: 'All clients look like one: they share limits on sign-ins, and the log does not tell them apart.',
      remedy:
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;   (nginx; Caddy does it by itself)',
    })
  }
  if (!isTrusted) {
    return finding('proxy', 'warning', {
      what: `A proxy at ${seen.peer} forwards the address of clients, and it is not trusted.`,
      why: 'All clients look like one: they share limits on sign-ins, and the log does not tell them apart.',
      remedy: `IZVOR_TRUSTED_PROXIES=${seen.peer}`,
    })
  }
  return fine('proxy', `The proxy at ${seen.peer} forwards who asks, and is believed.`)
}

export async function checkMail({ loaded }: Site): Promise<Finding[]> {
  const { smtp_url: url } = loaded.values
  if (url === null) {
    const what = 'No mail server is set: mail goes to the log.'
    const why = 'Nobody who signs up can confirm an address or ask for a new password without you.'
    return [
      finding('mail', 'note', {
        what,
        why,
        remedy:
          'IZVOR_SMTP_URL_FILE=/etc/izvor/smtp-url   (a file with smtps://user:password@mail.example.org)',
      }),
    ]
  }
  const { host } = new URL(url)
  try {
    await tryMailServer(url)
    return [fine('mail', `${host} lets us in.`)]
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    const what = `The mail server ${host} cannot be used: ${reason}.`
    const why = 'Confirmations and new passwords wait in the queue, and are given up after a day.'
    return [
      finding('mail', 'problem', {
        what,
        why,
        remedy: `nc -vz ${new URL(url).hostname} ${new URL(url).port || '465'}   (a firewall?), then user and password in IZVOR_SMTP_URL`,
      }),
    ]
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')
}

interface Asked {
  /** null: whoever answered does not know the secret of the folder, or serves a copy of it. */
  readonly probe: ProbeAnswer | null
}

/** Asks who is there; a text says why nobody is. */
async function ask(site: Site, address: string, tls: object = {}): Promise<Asked | string> {
  const secret = readProbeSecret(site)
  const headers = {
    'X-Forwarded-For': MADE_UP,
    ...(secret !== undefined && { [PROBE_HEADER]: sealProbe(secret, site.now()) }),
  }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(`${address}/health/live`, { headers, redirect: 'manual', signal, ...tls })
    await answer.arrayBuffer()
    const said = answer.headers.get(PROBE_HEADER)
    const probe = said === null ? null : (JSON.parse(said) as ProbeAnswer)
    return { probe: probe?.folder === site.folder.mark() ? probe : null }
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `it took longer than ${TIMEOUT_MS / 1000} seconds`
  return code === 'ConnectionRefused' || code === 'ECONNREFUSED' ? 'nothing listens there' : message
}

/** The secret that seals cursors seals this, too; without a folder there is none. */
function readProbeSecret({ folder }: Site): Uint8Array | undefined {
  if (!existsSync(folder.accountsDb)) return undefined
  const database = openDatabase(folder.accountsDb, { readonly: true })
  try {
    const row = database.prepare("SELECT bytes FROM secrets WHERE name = 'cursors'").get()
    return (row as { bytes: Uint8Array } | undefined)?.bytes
  } finally {
    database.close()
  }
}
