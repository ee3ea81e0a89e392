/**
 * In a full run: a client that openapi-python-client makes from the description walks a dataset. Skipped where Python or the
 * package is missing.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { IS_FULL } from '../support/property-runs.ts'
import { TOWNS } from '../support/towns.ts'

const PACKAGE = 'openapi-python-client'
const INSTALL_MS = 120_000

/** Names the dataset, the cursor and the page size; a generated default that conflicts with the cursor would be refused. */
const WALK = `
import json, sys
from client import AuthenticatedClient
from client.api.datasets import list_rows
from client.models import DatasetCursorList

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
cursor, towns = "start", []
while cursor is not None:
    page = list_rows.sync(client=client, domain="geospatial", dataset="towns", cursor=cursor, limit=3)
    if not isinstance(page, DatasetCursorList):
        sys.exit(f"no page of a walk: {page}")
    towns += [row.to_dict()["town"] for row in page.data]
    cursor = page.pagination.next_cursor
print(json.dumps(towns))
`

const folder = mkdtempSync(join(tmpdir(), 'izvor-client-'))
const bin = join(folder, 'venv', 'bin')
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program to its end. @returns its output, or its messages as an error */
async function run(command: readonly string[]): Promise<{ output: string } | { error: string }> {
  try {
    const path = `${bin}:${process.env.PATH}`
    const child = Bun.spawn([...command], {
      ...{ cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: INSTALL_MS },
      env: { ...process.env, PATH: path },
    })
    const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return (await child.exited) === 0 ? { output } : { error: complaint.slice(-2000) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Installs the generator. @returns why it is missing; undefined once it is installed */
async function install(): Promise<string | undefined> {
  const made = await run(['python3', '-m', 'venv', join(folder, 'venv')])
  if ('error' in made) return `there is no Python 3 with venv: ${made.error}`
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]
  const installed = await run([join(bin, 'python'), ...pip])
  return 'error' in installed ? `${PACKAGE} cannot be installed: ${installed.error}` : undefined
}

// Installing the generator takes twenty seconds.
test.skipIf(!IS_FULL)(
  'a generated Python client walks a dataset by cursor without unsetting any option',
  async () => {
    const missing = await install()
    if (missing !== undefined) {
      console.log(`skipped: ${missing}`)
      return
    }
    writeFileSync(join(folder, 'description.json'), (await app.get('/openapi.json', { key: null })).text)
    const from = ['generate', '--path', 'description.json', '--output-path', 'client', '--meta', 'none']
    expect(await run([join(bin, PACKAGE), ...from])).toHaveProperty('output')
    writeFileSync(join(folder, 'walk.py'), WALK)
    const walked = await run([join(bin, 'python'), 'walk.py', app.url, app.key])
    expect(walked).toHaveProperty('output')
    const towns = TOWNS.table.rows.map((row) => row[1])
    expect(JSON.parse('output' in walked ? walked.output : '')).toEqual(towns)
  },
  2 * INSTALL_MS,
)
