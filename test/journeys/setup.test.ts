/** `izvor setup` on a terminal: each step tests what it sets up, and izvor.toml keeps its other contents. */

import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../support/find-program.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer } from '../support/mail-server.ts'
import { asNobody, canBeRefused } from '../support/nobody.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { makeCertificate } from './certificate.ts'
import { izvor, JOURNEY_TIMEOUT, startOnTerminal } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const ENGLISH = { LC_ALL: 'en_GB.UTF-8' }
const COLOURS = new RegExp(String.raw`${String.fromCharCode(27)}\[[0-9;?]*[A-Za-z]`, 'g')

/** Answers questions in order as they are asked; the texts before an answer identify its question. */
async function answer(
  folder: string,
  words: readonly string[],
  answers: readonly (readonly [question: string, line: string])[],
  env: Readonly<Record<string, string>> = ENGLISH,
  through: readonly string[] = [],
) {
  const terminal = startOnTerminal(['setup', ...words], { cwd: folder, env, through })
  const plain = () => terminal.output().replaceAll(COLOURS, '')
  let read = 0
  for (const [question, line] of answers) {
    const asks = () => plain().slice(read).trimEnd().endsWith(question)
    await Promise.race([until(asks), terminal.exited])
    if (!asks()) throw new Error(`"${question}" was not asked:\n${plain()}`)
    read = plain().length
    terminal.type(line)
  }
  const code = await terminal.exited
  return { code, text: plain(), toml: readToml(folder) }
}

function readToml(folder: string): string {
  const path = join(folder, 'izvor.toml')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test('setting the name and the address keeps comments and file mode, and a wrong answer is asked again', async () => {
  const folder = tempDir()
  const path = join(folder, 'izvor.toml')
  writeFileSync(path, '# ours\nkeep_versions = 3 # one more\nport = 1\n')
  chmodSync(path, 0o640)
  const named = await answer(
    folder,
    ['institution'],
    [
      ['Name of the institution:', ''],
      ['Name of the institution:', 'Primăria Cluj'],
      ['Contact:', 'nobody'],
      ['Contact:', 'date@example.ro'],
    ],
  )
  expect(named.code).toBe(0)
  expect(named.text).toContain('Fill in "Name of the institution".')
  expect(named.text).toContain('"nobody" does not fit here: expected an e-mail address or ')
  expect(named.text).toContain('From the next start of the service: Name of the institution, Contact.')
  const port = freePort()
  const { code, text, toml } = await answer(
    folder,
    ['address'],
    [
      ['Public address:', 'localhost:9'],
      ['Public address:', 'http://localhost:9'],
      ['Listens on [127.0.0.1]:', '3055'],
      ['Listens on [127.0.0.1]:', ''],
      ['Port [1]:', String(port)],
    ],
  )
  expect(code).toBe(0)
  expect(text).toContain('"localhost:9" does not fit here: expected an address such as https://')
  expect(text).toContain('"3055" does not fit here: expected an IP address')
  expect(text).toContain('The name localhost leads to ')
  expect(text).toContain('Nothing answers at http://localhost:9 yet (nothing listens there).')
  expect(text).toContain(`The port 127.0.0.1:${port} can be opened.`)
  expect(toml).toBe(
    `# ours\nkeep_versions = 3 # one more\nport = ${port}\npublisher = "Primăria Cluj"\ncontact = "date@example.ro"\nbase_url = "http://localhost:9"\n`,
  )
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).filter((name) => name.startsWith('izvor.toml'))).toEqual(['izvor.toml'])
})

test('Enter keeps a value, a dash removes it, and a name that does not resolve is written only on confirmation', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'izvor.toml'), `port = ${freePort()}\nbase_url = "https://old.invalid"\n`, {
    mode: 0o600,
  })
  const address = (line: string): [string, string][] => [
    ['Public address [https://old.invalid]:', line],
    ['Listens on [127.0.0.1]:', ''],
    [']:', ''],
  ]
  const before = readToml(folder)
  const refused = await answer(
    folder,
    ['address'],
    [
      ...address('https://new.invalid'),
      ['(yes/no)', '443'],
      ['(yes/no)', 'no'],
      // It is asked a second time, but not a third.
      ...address('https://new.invalid'),
      ['(yes/no)', 'n'],
    ],
  )
  expect(refused.text).toContain('The name new.invalid leads nowhere')
  expect([refused.toml, refused.text.includes('Nothing was written.')]).toEqual([before, true])
  const removed = await answer(folder, ['address'], address('-'))
  expect(removed.toml).toBe(before.replace('base_url = "https://old.invalid"\n', ''))
  const kept = await answer(
    folder,
    ['address'],
    [
      ['Public address:', 'https://new.invalid'],
      ['Listens on [127.0.0.1]:', ''],
      [']:', ''],
      ['(yes/no)', 'yes'],
    ],
  )
  expect(kept.toml).toContain('base_url = "https://new.invalid"\n')
})

test('a test mail reaches the person who does the setup before the mail server is written', async () => {
  const folder = tempDir()
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const answers: [string, string][] = [
    ['Which [1]:', '2'],
    ['Mail server:', mail.url],
    ['Sender:', 'Date <date@example.ro>'],
    ['Your own address:', 'me@example.ro'],
  ]
  const { text, toml } = await answer(folder, ['mail'], answers)
  expect(text).toContain('A test mail is on its way to me@example.ro.')
  expect(mail.mails.map(({ from, to, subject }) => [from, to, subject])).toEqual([
    ['date@example.ro', 'me@example.ro', 'Test mail from Izvor'],
  ])
  expect(toml).toBe(
    `smtp_url = "${mail.url}"\nmail_from = "Date <date@example.ro>"\nalerts_to = "me@example.ro"\n`,
  )
  // Enter keeps the secret, which is not shown.
  const again = await answer(
    folder,
    ['mail'],
    [
      ['Which [2]:', ''],
      ['Mail server [***]:', ''],
      ['Sender [Date <date@example.ro>]:', '-'],
      ['Your own address [me@example.ro]:', ''],
    ],
  )
  expect(again.toml).toBe(`smtp_url = "${mail.url}"\nalerts_to = "me@example.ro"\n`)
  expect(again.text).not.toContain(mail.url)
  const none = await answer(folder, ['mail'], [['Which [2]:', '1']])
  expect(none.toml).toBe('')
})

test.skipIf(findProgram('openssl') === null)(
  'a certificate and its matching key are accepted, and others are refused',
  async () => {
    const folder = tempDir()
    const [ours, other] = ['ours.example', 'other.example'].map((name) => makeCertificate(folder, name, 30))
    const pair = (cert: string, key: string): [string, string][] => [
      ['Which [1]:', '4'],
      ['Certificate file:', cert],
      ['Private key file:', key],
    ]
    const mixed = pair(ours!.cert, other!.key)
    const answers = [...mixed, ['(yes/no)', 'no'] as const, ...pair(ours!.cert, ours!.key)]
    const fits = await answer(folder, ['https'], answers)
    expect(fits.text).toContain('The certificate cannot be used: the private key ')
    expect(fits.text).toContain('Nothing was written.')
    expect(fits.text).toContain('Certificate and key belong together; the certificate is good until ')
    expect(fits.toml).toBe(`tls_cert = "${ours!.cert}"\ntls_key = "${ours!.key}"\n`)
  },
)

test('one way to HTTPS replaces another: a name with ACME, a proxy, none', async () => {
  const folder = tempDir()
  const [http, port] = [freePort(), freePort()]
  const ports = `acme_http_port = ${http}\nport = ${port}\n`
  writeFileSync(join(folder, 'izvor.toml'), `tls_cert = "a.pem"\n${ports}tls_key = "a.key"\n`, {
    mode: 0o600,
  })
  const acme = await answer(
    folder,
    ['https'],
    [
      ['Which [4]:', '3'],
      ['Public name:', 'data.invalid'],
      ['Your e-mail address:', 'me@example.ro'],
      ['(yes/no)', 'yes'],
    ],
  )
  expect(acme.text).toContain('The name data.invalid leads nowhere')
  expect(acme.text).toContain(`The port 0.0.0.0:${http} can be opened.`)
  expect(acme.text).toContain(`The port 0.0.0.0:${port} can be opened.`)
  expect(acme.text).toContain(
    `! The service would listen on 0.0.0.0:${port}, but the name is asked at port 443.`,
  )
  const byName = 'acme_host = "data.invalid"\nacme_email = "me@example.ro"\n'
  expect(acme.toml).toBe(ports + byName)
  const proxy = await answer(
    folder,
    ['https'],
    [
      ['Which [3]:', '2'],
      ['Address of the proxy [127.0.0.1]:', ''],
    ],
  )
  expect(proxy.toml).toBe(`${ports}trusted_proxies = "127.0.0.1"\n`)
  const none = await answer(folder, ['https'], [['Which [2]:', '1']])
  expect(none.toml).toBe(ports)
})

test('in Romanian, the folder for backups is created and a backup is made in it', async () => {
  const folder = tempDir()
  expect((await izvor(['keys', 'mint', '--plan', 'free'], { cwd: folder })).code).toBe(0)
  const { text, toml } = await answer(
    folder,
    ['backup'],
    [
      ['Varianta [1]:', '2'],
      ['Dosarul:', join(folder, 'copii')],
      ['Când [30 2 * * *]:', 'zilnic'],
      ['Când [30 2 * * *]:', ''],
      ['Câte se păstrează [14]:', ''],
    ],
    { LANG: 'ro_RO.UTF-8' },
  )
  expect(text).toContain('„zilnic” nu se potrivește aici: se așteaptă un orar cron de cinci câmpuri')
  expect(text).toContain('O copie de rezervă a fost făcută și verificată în ')
  expect(readdirSync(join(folder, 'copii'))).toHaveLength(1)
  expect(toml).toBe(`backup_dir = "${join(folder, 'copii')}"\nbackup_schedule = "30 2 * * *"\n`)
})

test.skipIf(process.platform !== 'linux')(
  'starting with the machine installs a user unit, which can be removed again',
  async () => {
    const folder = tempDir()
    const said = join(folder, 'said')
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    for (const name of ['systemctl', 'loginctl'])
      writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@" >> '${said}'\n`, { mode: 0o755 })
    const env = { ...ENGLISH, PATH: `${programs}:${process.env.PATH}`, HOME: folder, XDG_CONFIG_HOME: '' }
    const data = join(folder, 'date 100%')
    const port = freePort()
    writeFileSync(join(folder, 'izvor.toml'), `port = ${port}\n`, { mode: 0o600 })
    const set = await answer(folder, ['start', '--data', data], [['Which [1]:', '2']], env)
    const unit = join(folder, '.config/systemd/user/izvor.service')
    expect(set.text).toContain(`The service starts with the computer (${unit}).`)
    expect(set.text).toContain(`The service runs from now on at http://127.0.0.1:${port}.`)
    expect(readFileSync(unit, 'utf8')).toContain(` "serve" "--data" "${folder}/date 100%%"\n`)
    const unset = await answer(folder, ['start', '--data', data], [['Which [2]:', '1']], env)
    expect([unset.text.includes('does not start by itself'), existsSync(unit)]).toEqual([true, false])
    expect(readFileSync(said, 'utf8').split('\n').filter(Boolean)).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now izvor.service',
      'loginctl enable-linger',
      'systemctl --user disable izvor.service',
      'systemctl --user daemon-reload',
    ])
  },
)

test.skipIf(!canBeRefused)(
  'if the file cannot be written, setup prints what somebody with the rights must write',
  async () => {
    const folder = tempDir()
    chmodSync(folder, 0o555)
    const answers: [string, string][] = [
      ['Name of the institution:', 'Ours'],
      ['Contact:', ''],
    ]
    const { text, toml } = await answer(folder, ['institution'], answers, ENGLISH, asNobody)
    expect(text).toContain('izvor.toml cannot be written: this user has no rights to it.')
    expect(text).toContain('Somebody with the rights writes there: publisher = "Ours"')
    expect([toml, readdirSync(folder)]).toEqual(['', []])
  },
)

test('an environment variable takes precedence, and the step says so', async () => {
  const folder = tempDir()
  const { text, toml } = await answer(
    folder,
    ['institution'],
    [
      ['Name of the institution [Old]:', 'New'],
      ['Contact:', ''],
    ],
    { ...ENGLISH, IZVOR_PUBLISHER: 'Old' },
  )
  expect(text).toContain('"Name of the institution" is given by IZVOR_PUBLISHER')
  expect(toml).toBe('publisher = "New"\n')
})

test.each(['\u0003', '\u0004'])(
  'Ctrl-C and Ctrl-D end the setup, and what was written stays',
  async (key) => {
    const folder = tempDir()
    const terminal = startOnTerminal(['setup'], { cwd: folder, env: ENGLISH })
    await until(() => terminal.output().includes('Name of the institution:'))
    terminal.type('Ours')
    await until(() => terminal.output().includes('Contact:'))
    terminal.type('')
    await until(() => terminal.output().includes('Public address:'))
    terminal.type(key)
    expect(await terminal.exited).toBe(1)
    expect(terminal.output()).not.toContain('Error')
    expect(readToml(folder)).toBe('publisher = "Ours"\n')
  },
)

test('without a terminal setup says what to write instead, and an unknown step is refused', async () => {
  const { code, stderr } = await izvor(['setup'], { cwd: tempDir() })
  expect(code).toBe(2)
  expect(stderr).toContain('"izvor config example"')
  expect(stderr).toContain('publisher, contact, base_url')
  expect((await izvor(['setup', 'kitchen'], { cwd: tempDir() })).stderr).toContain(
    'there is no step "kitchen"',
  )
})
