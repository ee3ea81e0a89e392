/** izvor doctor [--data DIR] [--host H] [--port N] [--quick] [--json]: finds problems and prints how to fix them. */

import { existsSync } from 'node:fs'
import { CommandError } from '../base/errors.ts'
import { explainFailure } from '../base/text/system-failure.ts'
import { DataDir } from '../store/files/data-dir.ts'
import type { Cli } from './cli/cli.ts'
import { type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { formatAmount, paint } from './cli/print.ts'
import { checkBackups, checkSources, checkUnfinished, checkVersions } from './doctor/contents.ts'
import { type Check, type Finding, finding, type Severity, type Site } from './doctor/finding.ts'
import { checkDisk, checkFilesystem, checkFolder } from './doctor/folder.ts'
import { checkClock, checkMemory, checkOpenFiles, checkTemp } from './doctor/machine.ts'
import { checkBaseUrl, checkCertificate, checkMail, checkService } from './doctor/network.ts'
import { checkDatabase, checkNodes, checkObjectStore } from './doctor/nodes.ts'
import { checkOldCopies } from './doctor/old-copies.ts'
import { checkRefreshSetting, checkSettings } from './doctor/settings.ts'

/** In the order in which they run and are printed. */
const ANYWHERE: readonly (readonly [string, Check])[] = [
  ['folder', checkFolder],
  ['temp', checkTemp],
  ['clock', checkClock],
  ['open files', checkOpenFiles],
  ['memory', checkMemory],
  ['settings', checkSettings],
  ['mail', checkMail],
  ['certificate', checkCertificate],
  ['database', checkDatabase],
]
/** Checks that need a usable data directory. */
const IN_THE_FOLDER: readonly (readonly [string, Check])[] = [
  ['object store', checkObjectStore],
  ['nodes', checkNodes],
  ['disk', checkDisk],
  ['filesystem', checkFilesystem],
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

async function examine(site: Site): Promise<Finding[]> {
  const findings = await runChecks(site, ANYWHERE)
  const unusable = findings.some(({ check, state }) => check === 'folder' && state === 'problem')
  if (unusable || !existsSync(site.folder.root)) return findings
  return [...findings, ...(await runChecks(site, IN_THE_FOLDER))]
}

/** Runs checks one after the other, since some take locks. A check that fails is a finding itself. */
async function runChecks(site: Site, checks: typeof ANYWHERE): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check(site)))
    } catch (error) {
      findings.push(
        ...finding(name, 'problem', {
          what: `This check failed: ${explainFailure(error)}.`,
          why: 'What stops the check usually stops the service as well.',
          remedy: `${site.program} datasets verify --data ${site.folder.root}`,
        }),
      )
    }
  }
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
