/** Makes the service start with the machine or not: by systemd, a LaunchAgent, or Windows' Startup folder. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { printedBy } from '../../base/process/child.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import type { Asked, Finding, SetupPlace } from './step.ts'
import { isOwnPort, tryPort } from './tries.ts'

interface Starter {
  /** Exists while the service starts by itself. */
  readonly file: string
  /** Returns whether it starts before anybody signs in. @param now also starts it at once, if the system can */
  readonly set: (now: boolean) => boolean | Promise<boolean>
  readonly startsNow?: true
  readonly unset: () => unknown
}

/** Programs of the system answer quickly or not at all. */
const PATIENCE_MS = 20_000

/** @throws Error with the program's message */
async function run(command: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { code, message } = await printedBy(command, PATIENCE_MS, variables)
  if (code !== 0) throw new Error(message)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The command and the folder with which the service starts: as it is now. */
function startOf({ command, folder }: SetupPlace) {
  return { words: [...command, 'serve', '--data', folder.root], from: process.cwd() }
}

const PACKAGED_DATA = '/var/lib/izvor'
const ENABLE_PACKAGED = ['systemctl', 'enable', 'izvor']

function packagedUnit(): Starter {
  return {
    file: '/etc/systemd/system/multi-user.target.wants/izvor.service',
    set: () => run(ENABLE_PACKAGED).then(() => true),
    unset: () => run(['systemctl', 'disable', 'izvor']),
  }
}

function userUnit(place: SetupPlace): Starter {
  const home = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  const file = join(home, 'systemd', 'user', 'izvor.service')
  const systemctl = (...words: string[]) => run(['systemctl', '--user', ...words])
  const { words, from } = startOf(place)
  // Percent and dollar signs have a special meaning in a unit.
  const plain = (text: string) => text.replaceAll('%', '%%')
  const quoted = (text: string) => JSON.stringify(plain(text).replaceAll('$', '$$$$'))
  return {
    file,
    startsNow: true,
    async set(now) {
      const service = `[Service]\nWorkingDirectory=${plain(from)}\nExecStart=${words.map(quoted).join(' ')}\nRestart=on-failure\n`
      write(file, `[Unit]\nDescription=Izvor\n\n${service}\n[Install]\nWantedBy=default.target\n`)
      try {
        await systemctl('daemon-reload')
        await systemctl('enable', ...(now ? ['--now'] : []), 'izvor.service')
      } catch (error) {
        rmSync(file)
        throw error
      }
      // Without lingering, a user's services end with the last session.
      return run(['loginctl', 'enable-linger']).then(
        () => true,
        () => false,
      )
    },
    async unset() {
      await systemctl('disable', 'izvor.service').finally(() => rmSync(file))
      await systemctl('daemon-reload')
    },
  }
}

function launchAgent(place: SetupPlace): Starter {
  const file = join(homedir(), 'Library', 'LaunchAgents', 'izvor.plist')
  const { words, from } = startOf(place)
  const string = (text: string) => `<string>${Bun.escapeHTML(text)}</string>`
  const facts = [
    `<key>Label</key>${string('izvor')}`,
    `<key>ProgramArguments</key><array>${words.map(string).join('')}</array>`,
    `<key>WorkingDirectory</key>${string(from)}`,
    '<key>RunAtLoad</key><true/>',
  ]
  const plist = `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>\n${facts.join('\n')}\n</dict></plist>\n`
  return {
    file,
    set() {
      write(file, plist)
      return false
    },
    unset: () => rmSync(file),
  }
}

/** Values come from variables, so that no path is read as a command. */
const SHORTCUT =
  '$s = (New-Object -ComObject WScript.Shell).CreateShortcut($env:LINK); $s.TargetPath = $env:TARGET; ' +
  '$s.Arguments = $env:WORDS; $s.WorkingDirectory = $env:FROM; $s.WindowStyle = 7; $s.Save()'

function startupFolder(place: SetupPlace): Starter {
  const roaming = process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming')
  const file = join(roaming, 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Startup', 'Izvor.lnk')
  const { words, from } = startOf(place)
  const [program = '', ...rest] = words
  return {
    file,
    async set() {
      const given = {
        LINK: file,
        TARGET: program,
        WORDS: rest.map((word) => `"${word}"`).join(' '),
        FROM: from,
      }
      await run(['powershell', '-NoProfile', '-NonInteractive', '-Command', SHORTCUT], given)
      return false
    },
    unset: () => rmSync(file),
  }
}

function starterOf(place: SetupPlace): Starter {
  if (process.platform === 'win32') return startupFolder(place)
  if (process.platform === 'darwin') return launchAgent(place)
  return isPackaged(place) ? packagedUnit() : userUnit(place)
}

function isPackaged({ folder }: SetupPlace): boolean {
  return process.platform === 'linux' && `${folder.root}/`.startsWith(`${PACKAGED_DATA}/`)
}

/** Whether the service starts with the machine. */
export function startsByItself(place: SetupPlace): boolean {
  return existsSync(starterOf(place).file)
}

/** Makes the service start with the machine, or no longer. */
export async function tryStart(asked: Asked, wanted: boolean): Promise<Finding[]> {
  const { config, place, texts } = asked
  const starter = starterOf(place)
  const isSet = existsSync(starter.file)
  if (!wanted && !isSet) return [{ state: 'ok', says: texts.startsByHand }]
  if (isPackaged(place) && wanted !== isSet && process.geteuid?.() !== 0) {
    const command = `sudo systemctl ${wanted ? 'enable' : 'disable'} --now izvor`
    return [{ state: 'note', says: texts.startByRoot(command) }]
  }
  try {
    if (!wanted) {
      await starter.unset()
      return [{ state: 'ok', says: texts.startsByHand }]
    }
    // If another service has its port, it would end at once.
    const port = await tryPort(config.host, config.port, asked)
    const now = starter.startsNow === true && port.state === 'ok' && !isOwnPort(config.port, place)
    const isEarly = await starter.set(now)
    const says = isEarly ? texts.startsAtBoot(starter.file) : texts.startsAtSignIn(starter.file)
    const address = config.base_url ?? `http://${config.host}:${config.port}`
    return [
      { state: 'ok', says },
      ...(now ? [{ state: 'ok', says: texts.startedNow(address) } as const] : []),
    ]
  } catch (error) {
    return [{ state: 'bad', says: texts.startFails(explainFailure(error)) }]
  }
}
