/** `izvor open` and a start by a file manager, as seen by other users of the machine, a second start and a terminal. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownFolder } from '../../src/commands/cli/own-folder.ts'
import { openInBrowser } from '../../src/commands/open/browser.ts'
import { formOf, onDesktop } from '../support/desktop.ts'
import { bytesBelow } from '../support/folder-bytes.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { izvor, JOURNEY_TIMEOUT, serve, startOnTerminal } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** Signs in as the browser would; returns the page after the redirect, and what is needed to call as the owner. */
async function enter(opened: string) {
  const { action, fields } = formOf(opened)
  const answer = await fetch(action, { method: 'POST', body: fields, redirect: 'manual' })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const address = new URL(action).origin
  return { status: answer.status, to: answer.headers.get('location'), address, cookie }
}

async function end({ address, cookie }: Awaited<ReturnType<typeof enter>>): Promise<number> {
  const { csrf_token } = await (await fetch(`${address}/account/api/me`, { headers: { cookie } })).json()
  const body = new URLSearchParams({ csrf_token })
  return (await fetch(`${address}/open/end`, { method: 'POST', headers: { cookie }, body })).status
}

/** The command lines and, if readable, the environment variables of all processes (Linux). */
function processes(): string {
  const ids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  }
  return ids.map((id) => read(`/proc/${id}/cmdline`) + read(`/proc/${id}/environ`)).join('\n')
}

test('the token is in a file that only its owner can read, works once, and is in no process list, log or address', async () => {
  const desktop = onDesktop()
  mkdirSync(desktop.data, { recursive: true, mode: 0o700 })
  writeFileSync(join(desktop.data, 'izvor.toml'), 'log_level = "trace"\naccess_log = "on"\n')
  const { child, opened: opening } = desktop.start()
  const opened = await opening
  const { action, fields } = formOf(opened)
  const token = fields.get('token')!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(statSync(fileURLToPath(opened)).mode & 0o777).toBe(0o600)
  expect(statSync(desktop.data).mode & 0o777).toBe(0o700)
  expect(opened + action + processes()).not.toContain(token)

  const owner = await enter(opened)
  expect([owner.status, owner.to]).toEqual([303, '/open'])
  expect((await fetch(action, { method: 'POST', body: fields })).status).toBe(422)
  await until(() => !existsSync(fileURLToPath(opened)))

  expect(await end(owner)).toBe(200)
  expect(await child.exited).toBe(0)
  const said = (await child.stdout.text()) + (await child.stderr.text())
  expect(said).toContain('listening')
  expect(said).toContain('"route":"/open"')
  expect(said).not.toContain(token)
  expect(bytesBelow(desktop.data).includes(token)).toBe(false)
})

test('the service listens only on loopback, so another machine cannot reach it', async () => {
  const desktop = onDesktop()
  const { action } = formOf(await desktop.start().opened)
  const { port } = new URL(action)
  const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outside = others.filter(({ internal, family }) => !internal && family === 'IPv4')
  for (const { address } of outside) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow()
  expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { host: 'evil.example' } })).status).toBe(421)
})

test('a second start finds the first service, and its file becomes a draft there', async () => {
  const desktop = onDesktop()
  const first = desktop.start()
  const owner = await enter(await first.opened)
  writeFileSync(join(desktop.home, 'Școli.csv'), 'Școala,Elevi\nNr. 1,312\n')
  const second = desktop.start('open', 'Școli.csv')
  const again = await enter(await second.opened)
  expect(again.address).toBe(owner.address)
  expect(await second.child.exited).toBe(0)
  const [, id] = /^\/publish\/drafts\/(\w+)$/.exec(again.to!)!
  const draft = await fetch(`${owner.address}/publish/api/drafts/${id}?wait=25`, {
    headers: { cookie: again.cookie },
  })
  expect((await draft.json()).file.name).toBe('Școli.csv')
  expect(await end(again)).toBe(200)
  expect(await first.child.exited).toBe(0)
})

test('two simultaneous starts result in one service', async () => {
  const desktop = onDesktop()
  const both = [desktop.start(), desktop.start()]
  const forms = await Promise.all(both.map(async ({ opened }) => formOf(await opened)))
  expect(forms[0]!.action).toBe(forms[1]!.action)
})

test('a service started by "izvor serve" on the folder is found as well', async () => {
  const desktop = onDesktop()
  const service = await serve(desktop.data)
  const owner = await enter(await desktop.start().opened)
  expect(owner).toMatchObject({ status: 303, to: '/operate', address: service.address })
  const me = await fetch(`${owner.address}/account/api/me`, { headers: { cookie: owner.cookie } })
  expect((await me.json()).user.role).toBe('operator')
})

test('a service that listens on a network is opened at its address, without a token', async () => {
  const desktop = onDesktop()
  const { address } = await serve(desktop.data, ['serve', '--host', '127.0.0.2'])
  expect(await desktop.start().opened).toBe(address)
})

test('network settings are ignored, and izvor.toml is read from the own data folder', async () => {
  const desktop = onDesktop()
  const owner = await enter(await desktop.start().opened)
  await end(owner)
  writeFileSync(join(desktop.home, 'izvor.toml'), 'this is = not read')
  writeFileSync(
    join(desktop.data, 'izvor.toml'),
    'host = "0.0.0.0"\nport = 1\nacme_host = "data.example.ro"\npublisher = "Primăria Cluj"\n',
  )
  const again = await enter(await desktop.start().opened)
  expect(again.address).toStartWith('http://127.0.0.1:')
  expect(await (await fetch(`${again.address}/catalog.jsonld`)).text()).toContain('Primăria Cluj')
  expect(await end(again)).toBe(200)
})

test('a button adds the sample data', async () => {
  const desktop = onDesktop()
  const { address, cookie } = await enter(await desktop.start().opened)
  const { csrf_token } = await (await fetch(`${address}/account/api/me`, { headers: { cookie } })).json()
  const body = new URLSearchParams({ csrf_token })
  await fetch(`${address}/open/samples`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  await until(async () => (await (await fetch(`${address}/stats`)).json()).datasets === 8)
})

test('errors are shown in the browser, since nobody reads messages', async () => {
  const desktop = onDesktop()
  for (const words of [['open', 'nothing.csv'], ['in/nu exista.csv']]) {
    const page = readFileSync(fileURLToPath(await desktop.start(...words).opened), 'utf8')
    expect(page).toContain('Izvor nu s-a putut deschide')
    expect(page).toContain(`${words.at(-1)} cannot be used: it does not exist`)
  }
})

test('without arguments the program prints the help on a terminal or without a display', async () => {
  const shown = startOnTerminal([], { env: { DISPLAY: ':0' } })
  await shown.exited
  expect(shown.output()).toContain('Usage: izvor')
  const { stderr, code } = await izvor([], { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } })
  expect([code, stderr.includes('Usage: izvor')]).toEqual([2, true])
})

test('$BROWSER may be a list of commands with a placeholder for the address', async () => {
  const folder = tempDir()
  const [script, note] = [join(folder, 'browser'), join(folder, 'note')]
  writeFileSync(script, `#!/bin/sh\nprintf %s "$*" > '${note}.new' && mv '${note}.new' '${note}'\n`, {
    mode: 0o700,
  })
  const open = (BROWSER: string) => openInBrowser({ env: { BROWSER } }, 'http://127.0.0.1:1/')
  expect(await open(`${script} --new --at=%s:lynx`)).toBe(true)
  expect(readFileSync(note, 'utf8')).toBe('--new --at=http://127.0.0.1:1/')
  expect(await open(join(folder, 'nothing'))).toBe(false)
  expect(await open('false')).toBe(false)
})

test('the own data folder is where each system keeps the data of programs', () => {
  const home = tempDir()
  const folder = (platform: NodeJS.Platform, env = {}) => ownFolder({ env }, platform, home)
  expect(folder('linux')).toBe(join(home, '.local', 'share', 'izvor'))
  expect(folder('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/izvor')
  expect(folder('linux', { XDG_DATA_HOME: 'relative' })).toBe(join(home, '.local', 'share', 'izvor'))
  expect(folder('darwin')).toBe(join(home, 'Library', 'Application Support', 'Izvor'))
  expect(folder('win32', { LOCALAPPDATA: '/C/Local' })).toBe(join('/C/Local', 'Izvor'))
})
