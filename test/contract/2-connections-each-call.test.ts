/**
 * Clients that open a connection for each call (contract 2), run in another process, so that only the service's work is
 * measured: the longest stretch for which its main thread works, in milliseconds of processor time.
 */

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening, start } from '../journeys/program.ts'

const CLIENTS = 20
const CALLS = 100
/** A round of requests ends with the request that is running after 8 ms; without that limit, one round took all calls. */
const MOST_MS = 100

const root = mkdtempSync(join(tmpdir(), 'izvor-each-call-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('clients that connect for each call hold the main thread for one round of requests at most', async () => {
  const watched = join(root, 'watch')
  const child = start(['serve', '--port', '0', '--data', join(root, 'data')], {
    env: {
      BUN_OPTIONS: `--preload=${join(import.meta.dir, '../support/processes/watch-turns.ts')}`,
      ...{ IZVOR_DISK_FLOOR: '0', IZVOR_PUBLIC_PER_MINUTE: '1000000', WATCH_TURNS: watched },
    },
  })
  const { address } = await listening(child)
  const longestStretch = async () => Number(await (await fetch('http://watch/', { unix: watched })).text())
  const call = async (clients: number, calls: number) => {
    const program = join(import.meta.dir, '../support/processes/call-often.ts')
    const caller = start([program, `${address}/?q=trade`, String(clients), String(calls)], {
      program: process.execPath,
    })
    return [await caller.stdout.text(), await caller.exited]
  }
  await call(1, 20)
  await longestStretch()
  expect(await call(CLIENTS, CALLS)).toEqual([`${CLIENTS * CALLS}`, 0])
  expect(await longestStretch()).toBeLessThan(MOST_MS)
})
