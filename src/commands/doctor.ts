/** izvor doctor [--data DIR] [--host H] [--port N] [--quick] [--json]: finds problems and prints how to fix them. */

import { existsSync } from 'node:fs'
import { CommandError } from '../base/errors.ts'
import { explainFailure } from '../base/text/system-failure.ts'
import { DataDir } from '../store/files/data-dir.ts'
import type { Finding, Severity } from '../upkeep/desk-work.ts'
import type { Cli } from './cli/cli.ts'
import { type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { formatAmount, paint } from './cli/print.ts'
import { checkCertificate } from './doctor/certificate.ts'
import {
  checkBackups,
  checkOldCopies,
  checkSources,
  checkUnfinished,
  checkVersions,
} from './doctor/contents.ts'
import { type Answer, problem, type Site } from './doctor/finding.ts'
import * as machine from './doctor/machine.ts'
import {
  checkBaseUrl,
  checkDatabase,
  checkMail,
  checkNodes,
  checkObjectStore,
  checkService,
} from './doctor/network.ts'
import { checkRefreshSetting, checkSettings } from './doctor/settings.ts'

type Check = readonly [name: string, ask: (site: Site) => Answer | Promise<Answer>]

/** In the order in which they run and are printed. */
const ANYWHERE: readonly Check[] = [
  ['folder', machine.checkFolder],
  ['temp', machine.checkTemp],
  ['clock', machine.checkClock],
  ['open files', machine.checkOpenFiles],
  ['memory', machine.checkMemory],
  ['settings', checkSettings],
  ['mail', checkMail],
  ['certificate', checkCertificate],
  ['database', checkDatabase],
]
/** Checks that need a usable data directory. */
const IN_THE_FOLDER: readonly Check[] = [
  ['object store', checkObjectStore],
  ['nodes', checkNodes],
  ['disk', machine.checkDisk],
  ['filesystem', machine.checkFilesystem],
  ['unfinished', checkUnfinished],
  ['versions', checkVersions],
  ['sources', checkSources],
  ['settings', checkRefreshSetting],
  ['backups', checkBackups],
  ['old copies', checkOldCopies],
  ['service', checkService],
  ['base_url', checkBaseUrl],
]

export const doctor = settingsCommand({
  name: 'doctor',
  description: 'Check this installation and print how to fix what is wrong; exit code 3 means problems.',
  takes: (command) => command.option('--quick', 'skip checks that read every version file'),
  settings: { data: 'folder', host: 'address', port: 'number' },
  async does({ cli, loaded, config }: SettingsPlace, options: { quick?: true }) {
    const { now, env, program } = cli
    const quick = options.quick === true
    const folder = new DataDir(config.data)
    const site = { loaded, config, folder, now, env, program, quick }
    return { folder, findings: await examine(site) }
  },
  json: ({ findings }) => findings,
  prints: (cli, { findings }) => printFindings(cli, findings),
  refuses({ folder, findings }) {
    const problems = findings.filter(({ state }) => state === 'problem')
    if (problems.length === 0) return
    const amount = formatAmount(problems.length, 'problem')
    throw new CommandError('unhealthy', `${amount} found in ${folder.root}`)
  },
})

/** One after the other, since some take locks. A check that throws is itself a finding. */
async function examine(site: Site): Promise<Finding[]> {
  const findings: Finding[] = []
  const run = async (checks: readonly Check[]) => {
    for (const [check, ask] of checks) {
      const said = await Promise.try(ask, site).catch((error) =>
        problem(
          `This check failed: ${explainFailure(error)}.`,
          'What stops the check usually stops the service as well.',
          `${site.program} datasets verify --data ${site.folder.root}`,
        ),
      )
      findings.push(...[said ?? []].flat().map((one) => ({ check, ...one })))
    }
  }
  await run(ANYWHERE)
  const unusable = findings.some(({ check, state }) => check === 'folder' && state === 'problem')
  if (!unusable && existsSync(site.folder.root)) await run(IN_THE_FOLDER)
  return findings
}

function printFindings(cli: Cli, findings: readonly Finding[]): void {
  const colour = paint(cli)
  const marks: Readonly<Record<Severity, string>> = {
    ok: colour('green', 'ok     '),
    note: colour('cyan', 'note   '),
    warning: colour('yellow', 'warning'),
    problem: colour('red', 'problem'),
  }
  for (const { check, state, what, why, remedy } of findings) {
    cli.print(`${marks[state]}  ${check.padEnd(CHECK_WIDTH)}  ${what}\n`)
    if (why !== null) cli.print(`${INDENT}why: ${why}\n`)
    if (remedy !== null) cli.print(`${INDENT}fix: ${remedy}\n`)
  }
}

const CHECK_WIDTH = Math.max(...[...ANYWHERE, ...IN_THE_FOLDER].map(([name]) => name.length))
const INDENT = ' '.repeat(11 + CHECK_WIDTH)
