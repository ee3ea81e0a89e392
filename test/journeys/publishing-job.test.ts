/** The script in the guide that publishes with a key, run as printed. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument } from '../support/markdown.ts'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const canRun = Bun.which('curl') !== null && Bun.which('jq') !== null
if (!canRun) console.warn('The publishing job was not run: there is no curl or no jq.')

const ADDRESS = 'https://date.example.org'

test.skipIf(!canRun)(
  'the script publishes an edition, none for identical bytes, and says why a file is refused',
  async () => {
    const folder = tempDir()
    const data = join(folder, 'data')
    const file = join(folder, 'fleet.csv')
    const write = (text: string) => writeFileSync(file, text)
    write('county,year,vehicles\nCluj,2024,120\nAlba,2024,80\n')
    await succeed(['ingest', file, '--id', 'fleet', '--domain', 'transport', '--data', data])
    const minted = await succeed([
      ...['keys', 'mint', '--plan', 'free', '--scopes', 'publish:transport'],
      ...['--expires-at', '2099-12-31', '--data', data, '--json'],
    ])
    const { secret } = JSON.parse(minted)
    const reader = await mint(data)
    const service = await serve(data)

    const fences = readDocument('docs/publishing.md').fences
    const script = fences.find(({ text }) => text.startsWith('#!/bin/sh'))!.text
    expect(script).toContain(ADDRESS)
    writeFileSync(join(folder, 'publish.sh'), script.replace(ADDRESS, service.address))
    const run = async (dataset = 'fleet') => {
      const job = Bun.spawn(['sh', 'publish.sh', 'fleet.csv', dataset], {
        ...{ cwd: folder, env: { ...process.env, IZVOR_KEY: secret }, stdout: 'pipe', stderr: 'pipe' },
      })
      const [stdout, stderr] = await Promise.all([job.stdout.text(), job.stderr.text()])
      return { code: await job.exited, state: stdout.trim(), stderr }
    }
    const rows = async () => {
      const answer = await service.get('/v1/transport/fleet', reader.secret)
      return ((await answer.json()) as { pagination: { total: number } }).pagination.total
    }

    write('county,year,vehicles\nCluj,2024,120\nAlba,2024,80\nIași,2025,99\n')
    expect(await run()).toEqual({ code: 0, state: 'published', stderr: '' })
    expect(await rows()).toBe(3)
    expect(await run()).toEqual({ code: 0, state: 'unchanged', stderr: '' })

    write('town,year\nCluj,2024\n')
    const refused = await run()
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('schema_drift')])
    expect((await run('nothing')).stderr).toContain('dataset_not_found')
    await succeed(['keys', 'rename', '2', '--scopes', 'read', '--data', data])
    expect(await rows()).toBe(3)
    await succeed(['keys', 'rename', '1', '--scopes', 'publish:health', '--data', data])
    expect((await run()).stderr).toContain('scope_missing')
  },
)
