/** Checks over the network: the service, its public address and reverse proxy, the mail server. */

import { tryMailServer } from '../../accounts/mail/mailer.ts'
import { isLoopback, Networks } from '../../base/text/ip-address.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { readTls } from '../../server/listening/tls.ts'
import { PROBE_HEADER, type ProbeAnswer } from '../../server/proxy-probe.ts'
import { CERTIFICATE_NOTICE_MS } from '../../upkeep/alerts.ts'
import {
  askService,
  findService,
  MADE_UP_CLIENT,
  OWN_MACHINE,
  serviceAddress,
} from '../cli/running-service.ts'
import { type Answer, fine, note, problem, type Said, type Site, warning } from './finding.ts'

/** When the certificate of the settings ends. A proxy's own is the proxy's. */
export function checkCertificate({ config, now }: Site): Answer {
  const why = 'Clients refuse a certificate that has ended or does not fit its key.'
  const remedy = 'systemctl reload izvor   (after the files of tls_cert and tls_key were renewed)'
  try {
    const files = readTls(config)
    if (files === undefined) return
    const left = files.ends.getTime() - now().getTime()
    const day = files.ends.toISOString().slice(0, 10)
    if (left <= 0) return problem(`${config.tls_cert} ended on ${day}.`, why, remedy)
    if (left < CERTIFICATE_NOTICE_MS) return warning(`${config.tls_cert} ends on ${day}.`, why, remedy)
    return fine(`${config.tls_cert} is good until ${day}.`)
  } catch (error) {
    return problem(`${explainFailure(error)}.`, why, remedy)
  }
}

/** Whether the service runs and serves this data directory. */
export async function checkService(site: Site): Promise<Answer> {
  const address = serviceAddress(site.config)
  const answer = await askService(site, address, OWN_MACHINE)
  if (typeof answer !== 'string' && answer.probe !== null) return fine(`It answers at ${address}.`)
  const elsewhere = await findService(site)
  if (elsewhere !== undefined) return fine(`It answers at ${elsewhere}, not at ${address}.`)
  if (typeof answer === 'string')
    return note(
      `No service answers at ${address}: ${answer}.`,
      'No service runs for this data directory, or it listens on another port.',
      `${site.program} serve   (or pass its --host and --port to the doctor)`,
    )
  return warning(
    `Something else answers at ${address}: the service of another data directory, or another program.`,
    'The findings for this data directory do not describe what clients get.',
    `${site.program} doctor --data FOLDER --port PORT   (the directory and port of one service)`,
  )
}

/** The public address, and whether the forwarded client address is handled right. */
export async function checkBaseUrl(site: Site): Promise<Answer> {
  const { base_url: base, host, trusted_proxies } = site.config
  if (base === null) {
    if (isLoopback(host)) return
    const what = `The service listens on ${host} and has no public address.`
    const why = 'Links in answers and mails take the Host header of the request.'
    return warning(what, why, 'IZVOR_BASE_URL=https://data.example.org')
  }
  const answer = await askService(site, base)
  const ask = `curl -i ${base}/health/live`
  if (typeof answer === 'string')
    return warning(
      `${base} does not answer from this machine: ${answer}.`,
      'Links in mails and answers lead there. Some networks cannot reach their own public address: try from outside.',
      ask,
    )
  if (answer.probe === null)
    return warning(
      `What answers at ${base} is not the service of this data directory, or the proxy drops the header ${PROBE_HEADER}.`,
      'Links in mails and answers would lead to something else.',
      `${ask}   (compare with ${serviceAddress(site.config)}/health/live)`,
    )
  const forwarding = judgeForwarding(answer.probe, trusted_proxies)
  if (base.startsWith('https:') || isLoopback(new URL(base).hostname)) return forwarding
  const plain = warning(
    `The public address ${base} is not encrypted.`,
    'API keys, passwords and session cookies travel in plain text.',
    `IZVOR_BASE_URL=${base.replace(/^http:/, 'https:')}   (with TLS in the proxy)`,
  )
  return [plain, forwarding]
}

const FORWARDING =
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;   (nginx; Caddy does it by default)'
const ALIKE =
  'All clients look like one: they share the limits on sign-ins, and the log cannot distinguish them.'

/** Judges what the proxy forwards for a request with a made-up `X-Forwarded-For`. */
export function judgeForwarding(seen: ProbeAnswer, trustedProxies: string | null): Said {
  const trusted = trustedProxies === null ? undefined : Networks.read(trustedProxies)
  const isTrusted = seen.peer !== 'unknown' && (trusted?.has(seen.peer) ?? false)
  const hops = (seen.forwarded ?? '').split(',').map((hop) => hop.trim())
  const judge = (): Said => {
    if (hops.length === 1 && hops[0] === MADE_UP_CLIENT) {
      // A direct client can send any value; the service uses it only from a trusted proxy.
      if (!isTrusted) return fine('There is no proxy, and X-Forwarded-For of clients is ignored.')
      return problem(
        `The proxy at ${seen.peer} is trusted and passes on the X-Forwarded-For that clients send.`,
        'A client can claim any address: it can evade the limits on sign-ins, and the log shows the wrong client.',
        FORWARDING,
      )
    }
    if (seen.forwarded === null) {
      if (trusted === undefined) return fine('No address is forwarded, and no proxy is configured.')
      const what = `IZVOR_TRUSTED_PROXIES is set, but no X-Forwarded-For arrives from ${seen.peer}.`
      return warning(what, ALIKE, FORWARDING)
    }
    if (isTrusted) return fine(`The proxy at ${seen.peer} forwards the address of clients and is trusted.`)
    const what = `A proxy at ${seen.peer} forwards the address of clients, but it is not trusted.`
    return warning(what, ALIKE, `IZVOR_TRUSTED_PROXIES=${seen.peer}`)
  }
  return { check: 'proxy', ...judge() }
}

export async function checkMail({ config }: Site): Promise<Answer> {
  if (config.smtp_url === null)
    return note(
      'No mail server is configured: mail goes to the log.',
      'New users cannot confirm their address or reset a password without an operator.',
      'IZVOR_SMTP_URL_FILE=/etc/izvor/smtp-url   (a file with smtps://user:password@mail.example.org)',
    )
  const { host, hostname, port } = new URL(config.smtp_url)
  try {
    await tryMailServer(config)
    return fine(`${host} accepts the connection and the sign-in.`)
  } catch (error) {
    return problem(
      `The mail server ${host} cannot be used: ${(error as Error).message.split('\n')[0]}.`,
      'Mails for confirmations and passwords wait in the queue and are dropped after a day.',
      `nc -vz ${hostname} ${port || '465'}   (a firewall?), then user and password in IZVOR_SMTP_URL`,
    )
  }
}
