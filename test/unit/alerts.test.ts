/** Alerts to the operator: one mail when a problem begins, one when it ends, whichever process checks. */

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type App, openApp } from '../../src/app.ts'
import { loadConfig } from '../../src/base/config/load.ts'
import { openDatabase } from '../../src/db/open.ts'
import { alerts } from '../../src/db/schema/accounts-schema.ts'
import { attemptIngest } from '../../src/publish/ingest.ts'
import { refreshDataset } from '../../src/publish/refresh/refresh.ts'
import { AlertSchedule } from '../../src/upkeep/alerts.ts'
import { recordBackup, recordBackupFailure } from '../../src/upkeep/backup/record.ts'
import { startMailServer } from '../support/mail-server.ts'
import { CHEAP_PASSWORDS } from '../support/passwords.ts'
import { cnp } from '../support/personal.ts'
import { tempDir } from '../support/temp-dir.ts'
import { startWebServer } from '../support/web-server.ts'

const BASE = 'https://date.example.org'
const OPERATOR = 'operator@example.org'
const mail = await startMailServer()
afterAll(() => mail.close())
beforeEach(() => {
  mail.mails.length = 0
})

interface Watch {
  readonly app: App
  /** One check by the service; returns the mails it sent, as `recipient: subject`. */
  look(): Promise<string[]>
  pass(hours: number): void
  /** Another process on the same data directory. */
  reopen(settings?: Partial<Settings>): Promise<Watch>
}

interface Settings {
  readonly to: string
  readonly language: 'ro' | 'en'
  readonly diskFloor: number
  readonly backups: string | null
  readonly certificate: () => { file: string; ends: Date } | null
}

const DEFAULTS: Settings = {
  ...{ to: OPERATOR, language: 'en', diskFloor: 0, backups: null },
  certificate: () => null,
}

async function watch(
  settings: Partial<Settings> = {},
  data = join(tempDir(), 'data'),
  clock = { at: START },
): Promise<Watch> {
  const { to, language, diskFloor, backups, certificate } = { ...DEFAULTS, ...settings }
  const now = () => new Date(clock.at)
  const config = loadConfig({ flags: { data, smtp_url: mail.url } }).values
  const app = await openApp(config, { now, passwordCost: CHEAP_PASSWORDS })
  app.log.level = 'silent'
  app.accountService.start(BASE)
  app.accountService.startUpkeep()
  // Its first checks for mail are over before another process has some to send.
  await setImmediate()
  await app.accountService.mailer.sendDue()
  const schedule = new AlertSchedule({
    ...app,
    ...{ certificate, records: null, startedAt: now() },
    config: {
      disk_floor: diskFloor,
      backup_schedule: backups,
      domain_labels: 'test=Încercări,test.en=Trials',
    },
    to: { emails: to.split(', '), language },
    wake: () => app.accountService.mailer.wake(),
  })
  return {
    app,
    async look() {
      const before = mail.mails.length
      await schedule.runDue()
      await app.accountService.mailer.sendDue()
      return mail.mails.slice(before).map((one) => `${one.to}: ${one.subject}`)
    },
    pass: (hours) => {
      clock.at += hours * 3_600_000
    },
    reopen: (others = {}) => watch({ ...settings, ...others }, data, clock),
  }
}

const START = Date.parse('2025-03-01T10:00:00Z')
const GOOD = 'n,square\n1,1\n2,4\n3,9\n'
const DRIFTED = 'n,cube\n1,1\n2,8\n3,27\n'

async function ingest({ app }: Watch, text: string, more: { dryRun?: boolean; id?: string } = {}) {
  const file = join(tempDir(), 'numbers.csv')
  writeFileSync(file, text)
  const { id = 'numbers', dryRun = false } = more
  return await attemptIngest(app, {
    ...{ file, id, domain: 'test', settings: app.config, dryRun, acceptDrift: false },
  }).catch((error: Error) => error.message)
}

test('a refused file is reported once, even across a restart, and resolved when one is published', async () => {
  const service = await watch()
  await ingest(service, GOOD)
  expect(await service.look()).toEqual([])
  await ingest(service, DRIFTED, { dryRun: true })
  expect(await service.look()).toEqual([])
  await ingest(service, DRIFTED)
  expect(await service.look()).toEqual([`${OPERATOR}: A file for numbers was refused`])
  expect(mail.mails[0]?.text).toContain(
    '(domain Trials) was refused at date.example.org (2025-03-01 10:00 UTC)',
  )
  expect(mail.mails[0]?.text).toContain("column 'square' (integer) is gone")
  service.pass(5)
  await ingest(service, DRIFTED)
  expect(await service.look()).toEqual([])

  const next = await service.reopen()
  expect(await next.look()).toEqual([])
  await ingest(next, `${GOOD}4,16\n`)
  expect(await next.look()).toEqual([`${OPERATOR}: The refused file for numbers is settled`])
  expect(mail.mails.at(-1)?.text).toContain('2025-03-01 10:00 UTC')
  expect(await service.look()).toEqual([])
})

test('a file that is not a table is reported, and resolved when the served file comes back', async () => {
  const service = await watch()
  await ingest(service, GOOD)
  expect(await ingest(service, '<!doctype html><html><body>maintenance</body></html>')).toContain('HTML')
  expect(await service.look()).toEqual([`${OPERATOR}: A file for numbers was refused`])
  await ingest(service, GOOD)
  expect(await service.look()).toEqual([`${OPERATOR}: The refused file for numbers is settled`])
})

test('a refused file of a dataset that was never published, or is removed, does not stay open for ever', async () => {
  const service = await watch()
  await ingest(service, '<!doctype html><html><body>down</body></html>', { id: 'page' })
  expect(await service.look()).toEqual([`${OPERATOR}: A file for page was refused`])
  service.pass(30 * 24 + 1)
  expect(await service.look()).toEqual([`${OPERATOR}: The refused file for page is settled`])
  await ingest(service, GOOD)
  await ingest(service, DRIFTED)
  expect(await service.look()).toEqual([`${OPERATOR}: A file for numbers was refused`])
  await service.app.catalog.remove('numbers')
  expect(await service.look()).toEqual([`${OPERATOR}: The refused file for numbers is settled`])
})

test('a refused refresh is one problem, resolved when the source is good again', async () => {
  let body = GOOD
  const { url } = startWebServer(() => new Response(body))
  const service = await watch()
  const { app } = service
  const settings = app.config
  await attemptIngest(app, {
    ...{
      file: `${url}/numbers.csv`,
      id: 'numbers',
      domain: 'test',
      settings,
      dryRun: false,
      acceptDrift: false,
    },
  })
  const refresh = () => refreshDataset(app, app.catalog.sources.find('numbers')!, { force: false, settings })
  body = DRIFTED
  expect((await refresh()).outcome).toBe('refused')
  expect(await service.look()).toEqual([`${OPERATOR}: The refresh of numbers failed`])
  expect(mail.mails[0]?.text).toContain("column 'square' (integer) is gone")
  expect((await refresh()).outcome).toBe('refused')
  expect(await service.look()).toEqual([])
  body = GOOD
  expect((await refresh()).outcome).toBe('unchanged')
  expect(await service.look()).toEqual([`${OPERATOR}: The refresh of numbers works again`])
  expect(app.catalog.refusals.find('numbers')).toBeUndefined()
})

test('a scheduled backup is late after a failure, or an hour after its time', async () => {
  const service = await watch({ backups: '30 2 * * *' })
  const { dataDir } = service.app
  const done = (at: string) => recordBackup(dataDir, { at, target: '/backup/a', bytes: 1, damaged: [] }, true)
  expect(await service.look()).toEqual([])
  recordBackupFailure(dataDir, 'the disk of /backup is full', new Date(START))
  expect(await service.look()).toEqual([`${OPERATOR}: A backup of date.example.org is late`])
  expect(mail.mails[0]?.text).toContain('the disk of /backup is full')
  expect(mail.mails[0]?.text).toContain('The last good backup: -.')
  recordBackupFailure(dataDir, 'the disk of /backup is full', new Date(START))
  expect(await service.look()).toEqual([])
  done('2025-03-01T11:00:00Z')
  expect(await service.look()).toEqual([`${OPERATOR}: A backup of date.example.org is no longer late`])

  service.pass(17) // 03:00 of the next day
  expect(await service.look()).toEqual([])
  service.pass(0.5)
  expect(await service.look()).toEqual([`${OPERATOR}: A backup of date.example.org is late`])
  expect(mail.mails.at(-1)?.text).toContain('The last good backup: 2025-03-01 11:00 UTC.')
  // A process that has just started has an hour to catch up, and does not call the alert off either.
  const next = await service.reopen()
  expect(await next.look()).toEqual([])
  expect(await service.look()).toEqual([])
  done('2025-03-02T03:31:00Z')
  expect(await next.look()).toEqual([`${OPERATOR}: A backup of date.example.org is no longer late`])
  expect(await service.look()).toEqual([])
})

test('a disk below its floor is reported, and resolved only with some room to spare', async () => {
  const low = await watch({ diskFloor: 1e15 })
  expect(await low.look()).toEqual([`${OPERATOR}: The disk of date.example.org is almost full`])
  expect(mail.mails[0]?.text).toMatch(
    /\d (?:MB|GB) are free on the disk that holds \S+ .*less than disk_floor, 1000000\.0 GB/,
  )
  const free = low.app.dataDir.freeBytes()
  expect(await (await low.reopen({ diskFloor: Math.floor(free * 0.96) })).look()).toEqual([])
  expect(await (await low.reopen({ diskFloor: 1 })).look()).toEqual([
    `${OPERATOR}: The disk of date.example.org has room again`,
  ])
})

test('columns about people that were served before this was asked are reported once, and again when settled', async () => {
  const service = await watch()
  let from = 0
  const rows = () => Array.from({ length: 20 }, (_, i) => `${from + i},${cnp(from + i)}\n`)
  const { url } = startWebServer(() => new Response(`n,cod\n${rows().join('')}`))
  const publish = async (personal_data: 'ask' | 'warn', request: object) => {
    from += 20
    const report = await attemptIngest(service.app, {
      ...{ file: `${url}/people.csv`, domain: 'test', dryRun: false, acceptDrift: false },
      ...{ settings: { max_quarantine: 0.1, max_mended: 0.05, personal_data }, ...request },
    })
    expect(report.published).toBe(true)
  }
  await publish('warn', {})
  const database = openDatabase(service.app.dataDir.catalogDb)
  database.exec("UPDATE versions SET record = json_set(record, '$.reading.revision', 4)")
  database.close()
  await publish('ask', { isRefresh: true })
  expect(await service.look()).toEqual([`${OPERATOR}: people has columns that seem to hold personal data`])
  expect(mail.mails.at(-1)?.text).toContain('columns cod seem to hold')
  await publish('ask', { isRefresh: true })
  expect(await service.look()).toEqual([])
  await publish('ask', { allowPersonalData: ['cod'] })
  expect(await service.look()).toEqual([`${OPERATOR}: The columns with personal data in people are settled`])
})

test('a certificate is reported 14 days before it expires, and so is its renewal', async () => {
  let ends = new Date('2025-03-15T10:00:01Z')
  const service = await watch({ certificate: () => ({ file: '/etc/izvor/cert.pem', ends }) })
  expect(await service.look()).toEqual([])
  service.pass(1)
  expect(await service.look()).toEqual([
    `${OPERATOR}: The certificate of date.example.org ends on 2025-03-15`,
  ])
  ends = new Date('2025-06-15T10:00:00Z')
  expect(await service.look()).toEqual([
    `${OPERATOR}: The certificate of date.example.org no longer ends soon`,
  ])
})

test('all recipients get the mail, in the configured language; without a problem nobody does', async () => {
  const service = await watch({ to: 'ana@example.org, ion@example.org', language: 'ro', diskFloor: 1e15 })
  expect((await service.look()).sort()).toEqual([
    'ana@example.org: Discul serviciului date.example.org este aproape plin',
    'ion@example.org: Discul serviciului date.example.org este aproape plin',
  ])
  expect(await service.app.accounts.select().from(alerts)).toMatchObject([
    { kind: 'disk_low', raisedAt: '2025-03-01T10:00:00Z' },
  ])
})
