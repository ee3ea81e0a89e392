/** The trials of the setup's steps: names, ports, certificates, mail, backups. */

import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { sendNow } from '../../accounts/mail/mailer.ts'
import { nodeVariables } from '../../base/config/config.ts'
import { variableOf } from '../../base/config/setting.ts'
import { readTls } from '../../base/config/tls-files.ts'
import { startProgram } from '../../base/process/child.ts'
import { isLoopback } from '../../base/text/ip-address.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { notedService } from '../../store/files/service-file.ts'
import { isBackupDue, readBackupRecord } from '../backup/record.ts'
import type { Asked, Finding, SetupPlace, SetupTexts } from './step.ts'

const ok = (says: string): Finding => ({ state: 'ok', says })
const note = (says: string): Finding => ({ state: 'note', says })
const bad = (says: string): Finding => ({ state: 'bad', says })

const PATIENCE_MS = 5000

/** Why there was no answer, as half a sentence; rare reasons are in the words of the network. */
function reasonOf(error: unknown, texts: SetupTexts): string {
  const { code = '', name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || /TIMEDOUT$/.test(code)) return texts.tooSlow
  return /ConnectionRefused|ECONNREFUSED/.test(code + message)
    ? texts.nothingListens
    : message.split('\n')[0]!
}

/** Whether a name has an address. An IP address is its own. */
async function tryName(host: string, texts: SetupTexts): Promise<Finding> {
  try {
    const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true })
    return ok(texts.nameKnown(host, found.map(({ address }) => address).join(', ')))
  } catch {
    return bad(texts.nameUnknown(host))
  }
}

/** Whether the service answers at the public address, if there is one. */
async function tryBase({ config: { base_url: base }, texts }: Asked): Promise<Finding[]> {
  if (base === null) return []
  const name = await tryName(new URL(base).hostname, texts)
  if (name.state === 'bad') return [name]
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(`${base}/health/live`, { redirect: 'manual', signal })
    return [name, (await saysOk(answer)) ? ok(texts.answers(base)) : note(texts.answersOther(base))]
  } catch (error) {
    return [name, note(texts.answersNot(base, reasonOf(error, texts)))]
  }
}

/** The most bytes read of an unknown server's answer. */
const LARGEST_ANSWER = 4096

/** Whether an answer is the service's; a long one is not read to its end. */
async function saysOk(answer: Response): Promise<boolean> {
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length > LARGEST_ANSWER) return false
    }
    return JSON.parse(Buffer.concat(chunks).toString())?.status === 'ok'
  } catch {
    return false
  }
}

const placeOf = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Opens a port and closes it again. */
export async function tryPort(host: string, port: number, { texts, place }: Asked): Promise<Finding> {
  const where = placeOf(host, port)
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
    return ok(texts.portFree(where))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      return isOwnPort(port, place) ? ok(texts.portOurs(where)) : bad(texts.portTaken(where))
    return bad(code === 'EACCES' ? texts.portForbidden(where) : texts.portFails(where, explainFailure(error)))
  } finally {
    server.close()
  }
}

/** Whether the service of the data directory has noted that port; with a certificate by ACME it has a second one. */
export function isOwnPort(port: number, { folder, read }: SetupPlace): boolean {
  const noted = notedService(folder)
  if (noted === undefined) return false
  const { protocol, port: own } = new URL(noted.address)
  const { acme_host, acme_http_port } = read().values
  const ports = [Number(own || (protocol === 'https:' ? 443 : 80)), ...(acme_host ? [acme_http_port] : [])]
  return ports.includes(port)
}

/** Requests the public address and opens the port. */
export async function tryAddress(asked: Asked): Promise<Finding[]> {
  const { host, port } = asked.config
  return [...(await tryBase(asked)), await tryPort(host, port, asked)]
}

/** Without encryption, passwords should not leave this computer. */
export function tryUnencrypted({ config, texts }: Asked): Finding[] {
  return isLoopback(config.host) ? [] : [note(texts.plain)]
}

/** The public address is the proxy's. */
export async function tryProxy(asked: Asked): Promise<Finding[]> {
  return [...(await tryBase(asked)), note(asked.texts.proxyNext)]
}

/** The name has to lead here, and both ports have to be free: the authority asks at the HTTP port. */
export async function tryAcme(asked: Asked): Promise<Finding[]> {
  const { acme_host: name, acme_http_port: http, host, port } = asked.config
  const ports = [await tryPort(host, http, asked), await tryPort(host, port, asked)]
  const isPublic = port === 443 && !isLoopback(host)
  const place = isPublic ? [] : [bad(asked.texts.acmePlace(placeOf(host, port)))]
  return [await tryName(name!, asked.texts), ...ports, ...place, note(asked.texts.acmeNext)]
}

/** Reads the files, which have to belong together. */
export function tryCertificate({ config, texts, place }: Asked): Finding[] {
  try {
    const ends = readTls(config)!.ends
    const day = ends.toISOString().slice(0, 10)
    return [ends > place.now() ? ok(texts.certificateGood(day)) : bad(texts.certificateOver(day))]
  } catch (error) {
    return [bad(texts.certificateFails(explainFailure(error)))]
  }
}

/** Sends a mail to the person who sets this up. */
export async function tryMail({ config, texts }: Asked): Promise<Finding[]> {
  const to = config.alerts_to!.split(', ')[0]!
  try {
    await sendNow(config, { to, subject: texts.testSubject, text: texts.testText })
    return [ok(texts.mailSent(to))]
  } catch (error) {
    return [bad(texts.mailFails(reasonOf(error, texts)))]
  }
}

/** A backup of much data takes long. */
const LONGEST_TRY_MS = 3_600_000

/** Makes a backup in the folder, which is made if it does not exist. */
export async function tryBackup({ config, texts, place }: Asked): Promise<Finding[]> {
  const folder = resolve(config.backup_dir!)
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    return [bad(texts.backupFails(explainFailure(error)))]
  }
  if (!place.folder.exists()) return [ok(texts.backupEmpty(folder))]
  const { backup_schedule: schedule, backup_keep: keep } = config
  // If one is due by the schedule, this is it; otherwise the service would make another at once.
  const isDue = isBackupDue(readBackupRecord(place.folder), schedule!, place.now())
  const words = ['backup', `${folder}/`, '--keep', String(keep), '--data', place.folder.root]
  const command = [...place.command, ...words, ...(isDue ? ['--if-due'] : [])]
  const variables = { ...nodeVariables(config), [variableOf('backup_schedule')]: schedule! }
  const run = startProgram(command, LONGEST_TRY_MS, false, variables)
  const { code, message } = await run.ended
  return [code === 0 ? ok(texts.backupMade(folder)) : bad(texts.backupFails(message))]
}
