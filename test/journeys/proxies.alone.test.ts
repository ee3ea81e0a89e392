/**
 * The examples for nginx and Caddy in `data/ops`, run by the real programs with only addresses, ports and the certificate
 * changed. If a program is not installed, its test is skipped with a message.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, type RunningService, serve, succeed } from './program.ts'
import { ask, CADDY, NGINX, startCaddy, startNginx } from './proxy.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const ROWS = 20_000

interface Behind {
  readonly service: RunningService
  readonly secret: string
  readonly port: number
}

/** A service behind a proxy that will listen on `port`. */
async function behindProxy(scheme: 'http' | 'https'): Promise<Behind> {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'rows.csv')
  const rows = Array.from({ length: ROWS }, (_, row) => `${row},rândul ${row}`)
  writeFileSync(file, `id,text\n${rows.join('\n')}\n`)
  await succeed(['ingest', file, '--domain', 'test', '--data', data])
  const { secret } = await mint(data)
  const port = freePort()
  const env = { IZVOR_BASE_URL: `${scheme}://127.0.0.1:${port}`, IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
  return { service: await serve(data, ['serve'], { env }), secret, port }
}

/** Checks what must hold through either proxy. */
async function expectWholeService(address: string, { service, secret }: Behind): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const list = await ask(`${address}/v1/test/rows?id[gte]=5&sort=-id&limit=2`, { headers })
  expect(list.status).toBe(200)
  const page = (await list.json()) as { pagination: { total: number }; links: { next: string } }
  expect(page.pagination.total).toBe(ROWS - 5)
  expect(page.links.next).toStartWith(address)
  expect((await ask(page.links.next, { headers })).status).toBe(200)
  const tag = list.headers.get('etag') as string
  const again = await ask(`${address}/v1/test/rows?id[gte]=5&sort=-id&limit=2`, {
    headers: { ...headers, 'if-none-match': tag },
  })
  expect(again.status).toBe(304)
  const path = '/v1/test/rows/export?format=csv'
  const through = await (await ask(address + path, { headers })).text()
  expect(through).toBe(await (await service.get(path, secret)).text())
  const large = new Blob(['x'.repeat(2_000_000)])
  const refused = await ask(`${address}/account/api/login`, { method: 'POST', body: large })
  expect(refused.status).toBe(413)
}

/** Sign-ups are limited by address; a forged address must not count as a different one. */
async function expectNobodyChoosesTheirAddress(address: string): Promise<void> {
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    const answer = await ask(`${address}/account/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` },
      body: JSON.stringify({ email: `p${i}@example.org`, password: 'girafe verzi pe acoperiș' }),
    })
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
}

test.skipIf(NGINX === null)('the whole service works behind nginx configured as in its example', async () => {
  const behind = await behindProxy('https')
  const plain = await startNginx({ service: new URL(behind.service.address).host, proxy: behind.port })
  const address = `https://127.0.0.1:${behind.port}`
  await expectWholeService(address, behind)
  await expectNobodyChoosesTheirAddress(address)
  const moved = await ask(`${plain}/docs`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, 'https://127.0.0.1/docs'])
})

test.skipIf(CADDY === null)('the whole service works behind Caddy configured as in its example', async () => {
  const behind = await behindProxy('http')
  await startCaddy({ service: new URL(behind.service.address).host, proxy: behind.port })
  const address = `http://127.0.0.1:${behind.port}`
  await expectWholeService(address, behind)
  await expectNobodyChoosesTheirAddress(address)
})
