/** The setup page: plain forms, sent as by a browser without scripts, to a service in a separate folder. */

import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { formOf, onDesktop } from '../support/desktop.ts'
import { startMailServer } from '../support/mail-server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { JOURNEY_TIMEOUT, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const PASSWORD = 'o parolă lungă de probă'
const SETUP = '/operate/setup'

/** A service with a signed-in operator; `izvor.toml` is in its current folder. */
async function startOperated(toml = '', role: readonly string[] = ['--operator']) {
  const folder = tempDir()
  writeFileSync(join(folder, 'izvor.toml'), toml, { mode: 0o600 })
  const data = join(folder, 'data')
  const who = 'maria@example.org'
  const made = await succeed(['users', 'create', who, ...role, '--data', data, '--json'], { cwd: folder })
  const { password_link: link } = JSON.parse(made) as { password_link: string }
  const service = await serve(data, ['serve'], { cwd: folder })
  const post = (path: string, body: object) =>
    fetch(service.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/account/api/password/reset', { token: link.split('#token=')[1], new_password: PASSWORD })
  const signedIn = await post('/account/api/login', { email: who, password: PASSWORD })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { csrf_token: token } = (await signedIn.json()) as { csrf_token: string }
  const toml_ = () => readFileSync(join(folder, 'izvor.toml'), 'utf8')
  return { folder, data, service, cookie, token, toml: toml_ }
}

type Operated = Awaited<ReturnType<typeof startOperated>>

async function ask(
  service: RunningService,
  path: string,
  cookie: string,
  init: RequestInit & { headers?: object } = {},
) {
  const headers = { accept: 'text/html', 'accept-language': 'en', cookie, ...init.headers }
  const answer = await fetch(service.address + path, { redirect: 'manual', ...init, headers } as RequestInit)
  const html = await answer.text()
  // Our pages use only these entities.
  const text = html
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  return { status: answer.status, text, location: answer.headers.get('location') }
}

function send({ service, cookie, token }: Operated, step: string, fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ csrf_token: token, ...fields })
  return ask(service, `${SETUP}/${step}?lang=en`, cookie, { method: 'POST', body })
}

test('settings in force at once take effect, others are shown as waiting, and the audit log records the change', async () => {
  const place = await startOperated('# ours\nkeep_versions = 3\n')
  const { service, cookie, data, folder, toml } = place
  const page = await ask(service, `${SETUP}?lang=en`, cookie)
  expect(page.status).toBe(200)
  expect(page.text).toContain(join(folder, 'izvor.toml'))
  expect(page.text).not.toContain('<script type="module"')
  const named = await send(place, 'institution', { publisher: 'Primăria Cluj', contact: 'date@example.ro' })
  expect(named.status).toBe(200)
  expect(named.text).toContain('In force from now on: Name of the institution, Contact.')
  expect(toml()).toBe('# ours\nkeep_versions = 3\npublisher = "Primăria Cluj"\ncontact = "date@example.ro"\n')
  expect((await ask(service, '/', '')).text).not.toBe('')
  expect(await (await fetch(`${service.address}/api/3/action/status_show`)).text()).toContain('Primăria Cluj')

  const address = await send(place, 'address', { base_url: service.address, host: '127.0.0.1', port: '0' })
  expect(address.text).toContain(`Izvor answers at ${service.address}.`)
  expect(address.text).toContain('From the next start of the service: Public address.')
  // The command line takes precedence.
  const port = await send(place, 'address', { base_url: service.address, host: '127.0.0.1', port: '4567' })
  expect(port.text).toContain('"Port" is given by --port')

  const wrong = await send(place, 'institution', { publisher: '', contact: 'nobody' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Fill in "Name of the institution".')
  expect(wrong.text).toContain('"nobody" does not fit here: expected an e-mail address or ')
  // Somebody edits the file by hand and makes a mistake.
  writeFileSync(join(folder, 'izvor.toml'), 'publisher = Cluj\n')
  const broken = await ask(service, `${SETUP}?lang=en`, cookie)
  expect([broken.status, broken.text.includes('The settings cannot be read: izvor.toml')]).toEqual([
    503,
    true,
  ])
  expect((await send(place, 'institution', { publisher: 'X' })).status).toBe(503)
  expect(toml()).toBe('publisher = Cluj\n')
  const audit = await succeed(['audit', 'list', '--data', data, '--json'], { cwd: tempDir() })
  expect(audit).toContain('institution publisher contact')
})

test('mail and scheduled backups start without a restart', async () => {
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const place = await startOperated()
  const { service, folder, toml, data } = place
  const lost = await send(place, 'mail', {
    way: '1',
    smtp_url: 'smtp://ana:taina@127.0.0.1:9',
    mail_from: '',
    alerts_to: 'me@example.ro',
  })
  expect(lost.status).toBe(422)
  expect(lost.text).toContain('The test mail could not be sent: nothing listens there.')
  expect(lost.text).toContain('Save all the same')
  expect(lost.text).toContain('type it again')
  expect(lost.text).not.toContain('taina')
  const untyped = { way: '1', smtp_url: '', mail_from: '', alerts_to: 'me@example.ro', anyway: 'yes' }
  expect((await send(place, 'mail', untyped)).text).toContain('Fill in "Mail server".')
  const lines = { ...untyped, smtp_url: mail.url, mail_from: 'Izvor <a@b.ro>\r\nBcc: z@z.ro' }
  expect((await send(place, 'mail', lines)).text).toContain('without line breaks and control characters.')
  expect((await send(place, 'institution', { publisher: 'A\u007fB' })).status).toBe(422)
  expect(toml()).toBe('')
  const set = await send(place, 'mail', {
    way: '1',
    smtp_url: mail.url,
    mail_from: '',
    alerts_to: 'me@example.ro',
  })
  expect(set.text).toContain('A test mail is on its way to me@example.ro.')
  expect(set.text).not.toContain(mail.url)
  const signedUp = await fetch(`${service.address}/account/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
  })
  expect(signedUp.status).toBe(201)
  await until(() => mail.mails.length === 2)
  expect(mail.mails.map(({ to }) => to)).toEqual(['me@example.ro', 'ana@example.org'])

  const backups = join(folder, 'backups')
  const kept = await send(place, 'backup', {
    way: '1',
    backup_dir: backups,
    backup_schedule: '30 2 * * *',
    backup_keep: '14',
  })
  expect(kept.text).toContain(`A backup was made and checked in ${backups}.`)
  // This was the first backup of the schedule, which continues from there.
  const { scheduled } = JSON.parse(readFileSync(join(data, 'backups.json'), 'utf8'))
  expect(readdirSync(backups)).toEqual([basename(scheduled.target)])
  expect(await (await fetch(`${service.address}/health/ready`)).text()).not.toContain('not scheduled')
})

test('only operators can use the setup, with the token of their session, from a page of this site', async () => {
  const reader = await startOperated('', [])
  const stranger = await ask(reader.service, SETUP, '')
  expect([stranger.status, stranger.location]).toEqual([303, '/account/login?next=%2Foperate%2Fsetup'])
  expect((await ask(reader.service, SETUP, reader.cookie)).status).toBe(403)
  expect((await send(reader, 'institution', { publisher: 'Mine' })).status).toBe(403)
  const place = await startOperated()
  const fields = new URLSearchParams({ publisher: 'Mine' })
  const bare = { method: 'POST', body: fields }
  expect((await ask(place.service, `${SETUP}/institution`, place.cookie, bare)).status).toBe(403)
  const foreign = {
    method: 'POST',
    body: new URLSearchParams({ publisher: 'Mine', csrf_token: place.token }),
    headers: { origin: 'https://evil.example' },
  }
  expect((await ask(place.service, `${SETUP}/institution`, place.cookie, foreign)).status).toBe(403)
  expect((await send(place, 'kitchen', {})).status).toBe(404)
  expect((await send(place, 'mail', { way: '7' })).status).toBe(404)
  const passedOn = { headers: { 'x-forwarded-for': '198.51.100.7' } }
  expect((await ask(place.service, SETUP, place.cookie, passedOn)).status).toBe(404)
  expect([reader.toml(), place.toml()]).toEqual(['', ''])
  expect(existsSync(join(place.folder, 'izvor.toml'))).toBe(true)
})

test('the owner of a desktop service reaches the setup from the first page, and its file is in the data folder', async () => {
  const desktop = onDesktop()
  const { action, fields } = formOf(await desktop.start().opened)
  const entered = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' })
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const open = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, accept: 'text/html' }
    return await (await fetch(new URL(path, action), { ...init, headers })).text()
  }
  expect(await open('/open')).toContain(`href="${SETUP}"`)
  const page = await open(SETUP)
  expect(page).toContain('Serviciul din această fereastră este doar al dumneavoastră.')
  const token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
  const body = new URLSearchParams({ csrf_token: token, publisher: 'Școala nr. 7', contact: '' })
  const named = await open(`${SETUP}/institution`, { method: 'POST', body })
  expect(named).toContain('În vigoare de acum: Numele instituției.')
  expect(readFileSync(join(desktop.data, 'izvor.toml'), 'utf8')).toBe('publisher = "Școala nr. 7"\n')
})
