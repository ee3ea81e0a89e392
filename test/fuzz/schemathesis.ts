/**
 * Runs the Python package schemathesis against the OpenAPI description of the demo: every operation, with valid and
 * invalid requests, for a limited time. Skipped if Python or the package is not available.
 *
 *     bun test/fuzz/schemathesis.ts [--seconds 60] [--seed 1]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DemoService, startDemo } from './demo-service.ts'

const PACKAGE = 'schemathesis==4.32.5'
const INSTALL_MS = 120_000
/** The time that schemathesis needs besides the given one: to start, to shrink its findings and to report them. */
const OVERTIME_MS = 60_000

const EXCLUDED = [
  // A schema cannot express parameters that exclude each other or links that work once; descriptions do.
  'positive_data_acceptance',
  // `/keys/rotate-all` also accepts the methods of `/keys/{key_id}`, and says so.
  'allow_header_conformance',
]

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})

/** Runs a program to its end. @returns its exit code; null if there is no such program or it took too long */
async function run(command: readonly string[], timeout: number, quiet = false): Promise<number | null> {
  try {
    const output = quiet ? 'ignore' : 'inherit'
    const child = Bun.spawn([...command], { stdin: 'ignore', stdout: output, stderr: output, timeout })
    const code = await child.exited
    return child.signalCode === null ? code : null
  } catch {
    return null
  }
}

/** The path of the installed program, or the reason why it is missing. */
async function install(folder: string): Promise<{ program: string } | { missing: string }> {
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin')
  const made = await run(['python3', '-m', 'venv', folder], INSTALL_MS, true)
  if (made !== 0) return { missing: 'there is no Python 3 with venv' }
  const pip = [join(bin, 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]
  if ((await run(pip, INSTALL_MS, true)) !== 0) return { missing: `${PACKAGE} cannot be installed` }
  return { program: join(bin, 'schemathesis') }
}

function check(program: string, { address, key }: DemoService): Promise<number | null> {
  const seconds = Number(values.seconds)
  const options = ['--max-time', values.seconds, '--seed', values.seed, '--request-timeout', '10']
  const checks = ['--exclude-checks', EXCLUDED.join(), '--continue-on-failure', '--warnings', 'off']
  const header = ['--header', `Authorization: Bearer ${key}`]
  const command = [program, 'run', `${address}/openapi.json`, ...header, ...options, ...checks]
  return run(command, seconds * 1000 + OVERTIME_MS)
}

async function main(folder: string): Promise<number> {
  const installed = await install(folder)
  if ('missing' in installed) {
    console.log(`skipped: ${installed.missing}, so the OpenAPI description was not tried against the service`)
    return 0
  }
  const demo = await startDemo()
  let code: number | null = null
  try {
    code = await check(installed.program, demo)
  } finally {
    const ended = await demo.stop()
    if (ended !== 0) console.error(`the demo ended with ${ended}:\n${demo.output().slice(-2000)}`)
    code = ended === 0 ? code : 1
  }
  if (code === null) console.error('schemathesis did not end in time')
  return code ?? 1
}

const folder = mkdtempSync(join(tmpdir(), 'izvor-schemathesis-'))
let code = 1
try {
  code = await main(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(code)
