/** Checks over the network: the service, its public address and reverse proxy, the mail server. */

import { tryMailServer } from '../../accounts/mail/mailer.ts'
import { isLoopback, Networks } from '../../base/text/ip-address.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { readTls } from '../../server/listening/tls.ts'
import { PROBE_HEADER, type ProbeAnswer } from '../../server/proxy-probe.ts'
import { CERTIFICATE_NOTICE_MS } from '../../upkeep/alerts.ts'
import { askService, findService, MADE_UP_CLIENT, OWN_MACHINE } from '../cli/running-service.ts'
import { serviceAddress } from '../cli/service-address.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'

/** When the certificate of the settings ends. A proxy's own is the proxy's. */
export function checkCertificate({ config, now }: Site): Finding[] {
  const renew = {
    why: 'Clients refuse a certificate that has ended or does not fit its key.',
    remedy: 'systemctl reload izvor   (after the files of tls_cert and tls_key were renewed)',
  }
  try {
    const files = readTls(config)
    if (files === undefined) return []
    const left = files.ends.getTime() - now().getTime()
    const day = files.ends.toISOString().slice(0, 10)
    if (left <= 0)
      return finding('certificate', 'problem', { what: `${config.tls_cert} ended on ${day}.`, ...renew })
    if (left < CERTIFICATE_NOTICE_MS)
      return finding('certificate', 'warning', { what: `${config.tls_cert} ends on ${day}.`, ...renew })
    return fine('certificate', `${config.tls_cert} is good until ${day}.`)
  } catch (error) {
    return finding('certificate', 'problem', { what: `${explainFailure(error)}.`, ...renew })
  }
}

/** Whether the service runs and serves this data directory. */
export async function checkService(site: Site): Promise<Finding[]> {
  const address = serviceAddress(site.loaded.values)
  const answer = await askService(site, address, OWN_MACHINE)
  const elsewhere = typeof answer === 'string' || answer.probe === null ? await findService(site) : undefined
  if (elsewhere !== undefined) return fine('service', `It answers at ${elsewhere}, not at ${address}.`)
  if (typeof answer === 'string') {
    return finding('service', 'note', {
      what: `No service answers at ${address}: ${answer}.`,
      why: 'No service runs for this data directory, or it listens on another port.',
      remedy: `${site.program} serve   (or pass its --host and --port to the doctor)`,
    })
  }
  if (answer.probe !== null) return fine('service', `It answers at ${address}.`)
  return finding('service', 'warning', {
    what: `Something else answers at ${address}: the service of another data directory, or another program.`,
    why: 'The findings for this data directory do not describe what clients get.',
    remedy: `${site.program} doctor --data FOLDER --port PORT   (the directory and port of one service)`,
  })
}

/** The public address, and whether the forwarded client address is handled right. */
export async function checkBaseUrl(site: Site): Promise<Finding[]> {
  const { base_url: base, host } = site.loaded.values
  if (base === null) {
    if (isLoopback(host)) return []
    const what = `The service listens on ${host} and has no public address.`
    const why = 'Links in answers and mails take the Host header of the request.'
    return finding('base_url', 'warning', { what, why, remedy: 'IZVOR_BASE_URL=https://data.example.org' })
  }
  const answer = await askService(site, base)
  if (typeof answer === 'string') {
    const what = `${base} does not answer from this machine: ${answer}.`
    const why =
      'Links in mails and answers lead there. Some networks cannot reach their own public address: try from outside.'
    return finding('base_url', 'warning', { what, why, remedy: `curl -i ${base}/health/live` })
  }
  if (answer.probe === null) {
    const what = `What answers at ${base} is not the service of this data directory, or the proxy drops the header ${PROBE_HEADER}.`
    const why = 'Links in mails and answers would lead to something else.'
    return finding('base_url', 'warning', {
      what,
      why,
      remedy: `curl -i ${base}/health/live   (compare with ${serviceAddress(site.loaded.values)}/health/live)`,
    })
  }
  return [...checkScheme(base), ...judgeForwarding(answer.probe, site.loaded.values.trusted_proxies)]
}

function checkScheme(base: string): Finding[] {
  if (base.startsWith('https:') || isLoopback(new URL(base).hostname)) return []
  const what = `The public address ${base} is not encrypted.`
  const why = 'API keys, passwords and session cookies travel in plain text.'
  return finding('base_url', 'warning', {
    what,
    why,
    remedy: `IZVOR_BASE_URL=${base.replace(/^http:/, 'https:')}   (with TLS in the proxy)`,
  })
}

/** Judges what the proxy forwards for a request with a made-up `X-Forwarded-For`. */
export function judgeForwarding(seen: ProbeAnswer, trustedProxies: string | null): Finding[] {
  const trusted = trustedProxies === null ? undefined : Networks.read(trustedProxies)
  const isTrusted = seen.peer !== 'unknown' && (trusted?.has(seen.peer) ?? false)
  const hops = (seen.forwarded ?? '').split(',').map((hop) => hop.trim())
  if (hops.length === 1 && hops[0] === MADE_UP_CLIENT) {
    // A direct client can send any value; the service uses it only from a trusted proxy.
    if (!isTrusted) return fine('proxy', 'There is no proxy, and X-Forwarded-For of clients is ignored.')
    return finding('proxy', 'problem', {
      what: `The proxy at ${seen.peer} is trusted and passes on the X-Forwarded-For that clients send.`,
      why: 'A client can claim any address: it can evade the limits on sign-ins, and the log shows the wrong client.',
      remedy:
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;   (nginx; Caddy does it by default)',
    })
  }
  if (seen.forwarded === null) {
    if (trusted === undefined) return fine('proxy', 'No address is forwarded, and no proxy is configured.')
    return finding('proxy', 'warning', {
      what: `IZVOR_TRUSTED_PROXIES is set, but no X-Forwarded-For arrives from ${seen.peer}.`,
      why: 'All clients look like one: they share the limits on sign-ins, and the log cannot distinguish them.',
      remedy:
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;   (nginx; Caddy does it by default)',
    })
  }
  if (!isTrusted) {
    return finding('proxy', 'warning', {
      what: `A proxy at ${seen.peer} forwards the address of clients, but it is not trusted.`,
      why: 'All clients look like one: they share the limits on sign-ins, and the log cannot distinguish them.',
      remedy: `IZVOR_TRUSTED_PROXIES=${seen.peer}`,
    })
  }
  return fine('proxy', `The proxy at ${seen.peer} forwards the address of clients and is trusted.`)
}

export async function checkMail({ loaded }: Site): Promise<Finding[]> {
  const { smtp_url: url } = loaded.values
  if (url === null) {
    const what = 'No mail server is configured: mail goes to the log.'
    const why = 'New users cannot confirm their address or reset a password without an operator.'
    return finding('mail', 'note', {
      what,
      why,
      remedy:
        'IZVOR_SMTP_URL_FILE=/etc/izvor/smtp-url   (a file with smtps://user:password@mail.example.org)',
    })
  }
  const { host } = new URL(url)
  try {
    await tryMailServer(loaded.values)
    return fine('mail', `${host} accepts the connection and the sign-in.`)
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    const what = `The mail server ${host} cannot be used: ${reason}.`
    const why = 'Mails for confirmations and passwords wait in the queue and are dropped after a day.'
    return finding('mail', 'problem', {
      what,
      why,
      remedy: `nc -vz ${new URL(url).hostname} ${new URL(url).port || '465'}   (a firewall?), then user and password in IZVOR_SMTP_URL`,
    })
  }
}
