/**
 * How long the main thread runs at a stretch while pages, queries, files and descriptions are requested, and how long lists
 * take in a storm. Part of `bun run bench`; alone: `bun test/bench/stretches-bench.ts --data FOLDER [--only WORDS]`, over a
 * folder with the dataset `bench/trade`.
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startAttackers } from '../support/attackers.ts'
import { mintKey } from './accounts-bench.ts'
import { watchLists } from './main-thread.ts'
import { startService } from './process.ts'
import { atMost, type Measurement, plainly } from './report.ts'

export interface StretchesBench {
  readonly program: string[]
  /** With the dataset `bench/trade`. */
  readonly data: string
  readonly secret: string
  readonly seconds: number
}

const STRETCH_MS = 15
const STORM_MS = 50
/** How often each is requested, the first time right after the start. */
const TIMES = 5
const ROWS = '/v1/bench/trade'
const PAGE = '/datasets/trade'
const RANGE = 'value_lei[gte]='

/** By kind; `RANGE` is followed by a new number each time. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  descriptions: ['/openapi.json', '/docs', '/openapi/bench/trade.json', '/catalog.jsonld', '/llms.txt'],
  'pages of the catalog': ['/', '/?q=comert', '/v1/search?q=import', '/docs/guides/queries', '/status'],
  'pages of a dataset': [
    PAGE,
    `${PAGE}?${RANGE}`,
    `${PAGE}/summary?${RANGE}`,
    `${PAGE}/values?column=value_lei&${RANGE}`,
    `/embed/trade?${RANGE}`,
  ],
  lists: [
    `${ROWS}?${RANGE}&count=true`,
    `${ROWS}?cn8_description[contains]=lapte&${RANGE}`,
    `${ROWS}?q=lapte&${RANGE}`,
    `${ROWS}?sort=cn8_description,-value_lei&${RANGE}`,
    `${ROWS}?sort=origin_country_code,month,-net_mass_kg&offset=1000000`,
    `${ROWS}/facets?columns=month,partner_country_code,flow_code,cn8_code,value_lei&${RANGE}`,
  ],
  groups: [
    `${ROWS}/aggregate?group_by=month&measures=sum(value_lei)&${RANGE}`,
    `${ROWS}/aggregate?group_by=month&measures=count_distinct(cn8_code),median(value_lei)&${RANGE}`,
    `${ROWS}/aggregate?group_by=cn8_code,partner_country_code&measures=sum(value_lei)&sort=-sum_value_lei&${RANGE}`,
    `${ROWS}/aggregate?group_by=cn8_code,partner_country_code&measures=sum(net_mass_kg)&sum_net_mass_kg[gte]=1000&${RANGE}`,
    `${ROWS}/aggregate?group_by=value_lei&measures=sum(net_mass_kg)&sort=-sum_net_mass_kg&${RANGE}`,
  ],
  files: ['csv', 'csv&sort=-value_lei', 'ndjson', 'parquet', 'xlsx&month=3'].map(
    (format) => `${ROWS}/export?format=${format}&${RANGE}`,
  ),
}

/** The longest stretch of each kind, and lists in a storm. */
export async function measureStretches(bench: StretchesBench, only = ''): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const [kind, paths] of Object.entries(ASKED))
    if (kind.includes(only)) measurements.push(await measureStretch(bench, kind, paths))
  if ('lists in a storm'.includes(only)) measurements.push(...(await measureStorm(bench)))
  return measurements
}

async function measureStretch(
  bench: StretchesBench,
  kind: string,
  paths: readonly string[],
): Promise<Measurement> {
  const service = await startBehindProxy(bench)
  try {
    const lists = await watchLists(service, bench.secret)
    let [longest, of] = [0, '']
    for (const [turn, path] of paths.flatMap((path) => Array<string>(TIMES).fill(path)).entries()) {
      const asked = path.replace(RANGE, `${RANGE}${1000 + turn * 37}`)
      await ask(service.address + asked, bench.secret, turn % 2 === 0 ? 'identity' : 'gzip')
      const stretch = lists.takeLongest()
      if (stretch > longest) [longest, of] = [stretch, asked]
    }
    const { busyP99Ms } = await lists.stop()
    const note = `p99 ${busyP99Ms.toFixed(1)} ms; the longest: ${of}`
    return atMost(`main thread at a stretch, ${kind}`, longest, STRETCH_MS, ' ms', note)
  } finally {
    await service.stop()
  }
}

const READER =
  'const [url, headers] = process.argv.slice(1); const answer = await fetch(url, { headers: JSON.parse(headers) }); for await (const _ of answer.body); process.exit(answer.ok ? 0 : 1)'

/** Reads an answer to its end in a separate process, while lists are requested. */
async function ask(address: string, secret: string, encoding: string): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': encoding }
  const reader = Bun.spawn([process.execPath, '-e', READER, address, JSON.stringify(headers)])
  if ((await reader.exited) !== 0) throw new Error(`${address} was refused`)
}

/** Sixteen connections that sign up and in, sixteen that request groups without pause, and held bodies. */
async function measureStorm(bench: StretchesBench): Promise<Measurement[]> {
  const service = await startBehindProxy(bench)
  try {
    const storm = {
      address: service.address,
      secrets: [],
      emails: ['ana@example.org'],
      clients: 16,
      pause: 0,
    }
    const lists = await watchLists(service, bench.secret)
    const attackers = [
      startAttackers({ ...storm, kind: 'people' }),
      startAttackers({ ...storm, kind: 'groups', pause: 20 }),
      startAttackers({ ...storm, kind: 'bodies', clients: 1000 }),
    ]
    await Bun.sleep(bench.seconds * 1000)
    const { p99Ms, busyP99Ms, longestMs } = await lists.stop()
    const met = await Promise.all(attackers.map(({ end }) => end()))
    return [
      atMost('list in a storm: p99', p99Ms, STORM_MS, ' ms', met.join('; ')),
      plainly('list in a storm: main thread, p99', busyP99Ms, ' ms', `longest ${longestMs.toFixed(1)} ms`),
    ]
  } finally {
    await service.stop()
  }
}

/** Starts a service for each kind, so that its first request is the first in the service. */
function startBehindProxy({ program, data }: StretchesBench) {
  const settings = { IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
  return startService([...program, 'serve', '--port', '0', '--data', data], settings)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', default: '' },
      program: { type: 'string', default: join(import.meta.dir, '..', '..', 'dist', 'izvor') },
    },
  })
  if (values.data === undefined) throw new Error('--data takes a folder with the dataset bench/trade')
  const program = values.program.endsWith('.ts') ? [process.execPath, values.program] : [values.program]
  const secret = await mintKey(program, values.data, 'unlimited')
  for (const { work, measured, target, note } of await measureStretches(
    { program, data: values.data, secret, seconds: 5 },
    values.only,
  ))
    console.log(`${work}: ${measured} (${target ?? ''}) ${note}`)
}
