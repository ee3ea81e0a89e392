/** Checks over the network: the service, its public address and proxy, the mail server, and what nodes share. */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryMailServer } from '../../accounts/mail/mailer.ts'
import { closing, releasing } from '../../base/closing.ts'
import { sha256 } from '../../base/crypto/sha256.ts'
import { isLoopback, Networks } from '../../base/text/ip-address.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { hidePassword } from '../../db/postgres/database-away.ts'
import { Postgres } from '../../db/postgres/open.ts'
import { isLive, nodeTable } from '../../db/postgres/shared-catalog.ts'
import { PROBE_HEADER, type ProbeAnswer } from '../../server/proxy-probe.ts'
import { openObjects } from '../../store/objects/open-objects.ts'
import { formatAmount } from '../cli/print.ts'
import {
  askService,
  findService,
  MADE_UP_CLIENT,
  OWN_MACHINE,
  serviceAddress,
} from '../cli/running-service.ts'
import { type Answer, fine, note, problem, type Said, type Site, warning } from './finding.ts'

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

/** The public address, and whether forwarded client addresses are handled correctly. */
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

/** A request waits for the database once, a call with a quota twice. */
const SLOW_MS = 5
const QUERIES = 20
/** Links in mails and the ends of keys depend on the clocks of nodes. */
const MOST_CLOCK_S = 5

/** Whether the database answers, how fast, and with which clock. Undefined without a database. */
export async function checkDatabase({ config: { database_url: url }, program }: Site): Promise<Answer> {
  if (url === null) return
  try {
    using postgres = closing(await Postgres.open(url))
    const { version, ahead, median } = await measure(postgres)
    const shown = `${hidePassword(url)} (PostgreSQL ${version}) answers in ${median.toFixed(1)} ms`
    if (median > SLOW_MS)
      return warning(
        `${shown}, the median of ${QUERIES} queries.`,
        'Every call with a key waits for at least one answer of the database.',
        'move the nodes and the database into one network',
      )
    if (Math.abs(ahead) > MOST_CLOCK_S)
      return warning(
        `${shown}; its clock is ${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
        'The ends of keys and links and the days of usage depend on the clocks of nodes.',
        'timedatectl set-ntp true   (on both machines)',
      )
    return fine(`${shown}, and its clock agrees.`)
  } catch (error) {
    return problem(
      `The database cannot be used: ${explainFailure(error)}.`,
      'Without it every call is answered with 503.',
      `${program} config   (shows database_url and where it comes from)`,
    )
  }
}

async function measure(postgres: Postgres) {
  const took: number[] = []
  let ahead = 0
  let version = ''
  for (let query = 0; query < QUERIES; query++) {
    const began = performance.now()
    const { rows } = await postgres.ask(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, current_setting('server_version')`,
    )
    took.push(performance.now() - began)
    ahead = (Number(rows[0]![0]) - Date.now()) / 1000
    version = String(rows[0]![1])
  }
  return { version, ahead, median: took.toSorted((a, b) => a - b)[QUERIES / 2]! }
}

/** Whether an object can be written, read and deleted. Undefined without a store. */
export async function checkObjectStore({ config, folder, program }: Site): Promise<Answer> {
  try {
    const objects = openObjects(folder, config)
    if (objects === null) return
    using opened = closing(objects)
    const { store } = opened
    using work = releasing(folder.claimWorkFolder())
    const bytes = randomBytes(1000)
    const path = join(work.path, 'object')
    writeFileSync(path, bytes)
    const key = `doctor/${bytes.toString('hex', 0, 8)}`
    const digest = { bytes: bytes.length, sha256: Buffer.from(sha256(bytes)).toString('hex') }
    await store.put(key, path, digest)
    await store.get(key, join(work.path, 'again'), digest)
    await store.delete(key)
    return fine(`${store.name} takes an object, gives it back and deletes it.`)
  } catch (error) {
    return problem(
      `The object store cannot be used: ${explainFailure(error)}.`,
      'Nothing can be published, and versions that a node has not fetched are not served.',
      `${program} config   (shows object_store and its endpoint; credentials are in AWS_*)`,
    )
  }
}

/** Which nodes run, and whether all serve what is published. Undefined without a database. */
export async function checkNodes({ config: { database_url: url }, program }: Site): Promise<Answer> {
  if (url === null) return
  using postgres = closing(await Postgres.open(url))
  const live = (await nodeTable(postgres).list()).filter(isLive)
  if (live.length === 0)
    return note('No node is running.', 'The published data is not served.', `${program} serve`)
  const behind = live.flatMap(({ name, waitsFor }) =>
    Object.entries(waitsFor).map(([dataset, reason]) => `${name} has no ${dataset} (${reason})`),
  )
  if (behind.length > 0)
    return warning(
      `Not every node serves what is published: ${[...new Set(behind)].join('; ')}.`,
      'These nodes serve the version before.',
      `${program} datasets verify   (names objects that are missing or damaged)`,
    )
  const programs = new Set(live.map((node) => node.program))
  const names = [...new Set(live.map(({ name }) => name))]
  const all = `${formatAmount(names.length, 'node')} (${names.join(', ')})`
  if (programs.size === 1) return fine(`${all} serve all that is published.`)
  return note(
    `${all} run different builds of the program: ${[...programs].join(', ')}.`,
    'That is meant only for the time of an upgrade.',
    'install the same program on all nodes',
  )
}
