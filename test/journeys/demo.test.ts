/** The first minute: `demo` fills an empty folder once, and what it prints works. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readDocuments } from '../support/markdown.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, serve, startOnTerminal, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const DATASETS = [
  '2025_salarii_aug_xlsx',
  'comert_international_cu_bunuri_2023',
  'comert_international_cu_bunuri_2024',
  'elevi_2015_2016',
  'eures_pclm_judete_2019',
  'eures_pclm_judete_sem1_2023',
  'siruta',
  'vehicle_registry',
]

test('demo fills an empty folder once; its key and the requests that it and the documents print work', async () => {
  const data = join(tempDir(), 'data')
  const first = await serve(data, ['demo'])
  await waitFor(() => first.output().includes('Stop: Ctrl-C'))
  const requests = [...first.output().matchAll(/curl -g -H "Authorization: Bearer (rok_\w+)" "([^"]+)"/g)]
  expect(requests.length).toBeGreaterThanOrEqual(4)
  for (const [, secret, address] of requests) {
    const answer = await fetch(address as string, { headers: { authorization: `Bearer ${secret}` } })
    expect([address, answer.status]).toEqual([address, 200])
    expect((await answer.text()).length).toBeGreaterThan(100)
  }
  const secret = requests[0]?.[1] as string
  const documented = readDocuments().flatMap(({ fences }) =>
    fences.filter(({ language }) => /^(curl|request)/.test(language)),
  )
  expect(documented.length).toBeGreaterThan(40)
  for (const { document, language, text } of documented) {
    const { status } = await first.get(text.trim(), secret)
    expect([document, text, status]).toEqual([document, text, language === 'request 422' ? 422 : 200])
  }
  const catalog = await bodyOf(await first.get('/v1/datasets', secret))
  expect(catalog.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(DATASETS)
  for (const { title, description, row_count } of catalog.data) {
    expect(`${title} ${description}`.toLowerCase()).toContain('date de probă')
    expect(row_count).toBeGreaterThan(50)
  }
  first.signal('SIGTERM')
  expect(await first.exited).toBe(0)

  const second = await serve(data, ['demo'])
  await waitFor(() => second.output().includes('keys mint'))
  expect(second.output()).not.toContain('rok_')
  const again = await bodyOf(await second.get('/v1/datasets', secret))
  expect(again.data).toEqual(catalog.data)
})

test('demo does not change a folder that already has other data', async () => {
  const data = join(tempDir(), 'data')
  await succeed(['ingest', '-', '--id', 'own', '--domain', 'test', '--data', data], { input: 'n\n1\n' })
  const service = await serve(data, ['demo'])
  await waitFor(() => service.output().includes('keys mint'))
  const listed = JSON.parse(await succeed(['datasets', 'list', '--data', data, '--json']))
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(['own'])
})

test('demo on a port in use says so before it creates anything', async () => {
  const folder = tempDir()
  const port = new URL((await serve(join(folder, 'other'))).address).port
  const { code, stdout, stderr } = await izvor(['demo', '--port', port, '--data', join(folder, 'data')])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`port ${port} on 127.0.0.1 is taken`)
  expect(stderr).toContain('--port')
  expect(stderr).not.toContain('Filling')
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

test('on a terminal demo prints in plain words where it serves', async () => {
  const args = ['serve', '--port', '0', '--data', join(tempDir(), 'data')]
  const service = startOnTerminal(args)
  await waitFor(() => service.output().includes('documentation:'))
  expect(service.output()).toStartWith('Izvor serves ')
  expect(service.output()).not.toContain('"level"')
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})

/** Output arrives through a pipe, so this yields until it is there. */
async function waitFor(there: () => boolean): Promise<void> {
  while (!there()) await new Promise((resolve) => setImmediate(resolve))
}
