/** Metrics of several processes in one scrape. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ProcessMetrics, WorkerMetrics } from '../../src/server/metrics/worker-metrics.ts'

const counter = (name: string, values: readonly [dataset: string, value: number][]) => ({
  ...{ name, help: 'Calls', type: 'counter', aggregator: 'sum' },
  values: values.map(([dataset, value]) => ({ value, labels: { dataset } })),
})
/** Runtime gauges as prom-client has them: not for sums. */
const gauge = (name: string, value: number | null) => ({
  ...{ name, help: 'Memory', type: 'gauge', aggregator: 'omit' },
  values: [{ value, labels: {} }],
})
const asProcess = (metrics: readonly object[]) => metrics as unknown as ProcessMetrics

const process = (calls: number, bytes: number, dataset = 'a } b') => [
  counter('calls_total', [[dataset, calls]]),
  gauge('memory_bytes', bytes),
  {
    ...{ name: 'seconds', help: 'Times', type: 'histogram', aggregator: 'sum' },
    values: [
      { metricName: 'seconds_bucket', labels: { le: '+Inf', dataset }, value: calls },
      { metricName: 'seconds_count', labels: { dataset }, value: calls },
    ],
  },
]

test('every series gets its worker, and each metric one head', async () => {
  const labelled = await new WorkerMetrics().labelled(
    new Map([
      ['1', asProcess(process(2, 10))],
      ['2', asProcess(process(3, 20))],
    ]),
  )
  expect(labelled).toBe(`# HELP calls_total Calls
# TYPE calls_total counter
calls_total{worker="1",dataset="a } b"} 2
calls_total{worker="2",dataset="a } b"} 3

# HELP memory_bytes Memory
# TYPE memory_bytes gauge
memory_bytes{worker="1"} 10
memory_bytes{worker="2"} 20

# HELP seconds Times
# TYPE seconds histogram
seconds_bucket{worker="1",le="+Inf",dataset="a } b"} 2
seconds_count{worker="1",dataset="a } b"} 2
seconds_bucket{worker="2",le="+Inf",dataset="a } b"} 3
seconds_count{worker="2",dataset="a } b"} 3
`)
})

test('totals keep gauges by worker, and pass on unchanged what is not a number', async () => {
  const metrics = new WorkerMetrics()
  const totals = await metrics.totals(
    new Map([
      ['1', asProcess([...process(2, 10), gauge('lag', null)])],
      ['2', asProcess(process(3, 20))],
    ]),
  )
  expect(totals).toContain('calls_total{dataset="a } b"} 5\n')
  expect(totals).toContain('memory_bytes{worker="1"} 10\nmemory_bytes{worker="2"} 20\n')
  expect(totals).toContain('lag{worker="1"} Nan\n')
})

const DATASETS = ['a', 'b', 'c']
/** What happens to one of three workers. */
const event = fc.record({
  worker: fc.constantFrom('1', '2', '3'),
  what: fc.constantFrom('call', 'call', 'scrape', 'end', 'hang'),
  dataset: fc.constantFrom(...DATASETS),
})

test('totals include all calls that a scrape has ever seen, and never go down, whatever ends or hangs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const metrics = new WorkerMetrics()
      const now = new Map<string, Map<string, number>>()
      const seen = new Map<string, Map<string, number>>()
      const hanging = new Set<string>()
      const ended = new Map<string, number>()
      let last = new Map<string, number>()
      for (const { worker, what, dataset } of events) {
        const calls = now.get(worker) ?? new Map<string, number>()
        now.set(worker, calls)
        if (what === 'call') calls.set(dataset, (calls.get(dataset) ?? 0) + 1)
        if (what === 'hang') hanging.add(worker)
        if (what === 'end') {
          for (const [name, n] of seen.get(worker) ?? []) ended.set(name, (ended.get(name) ?? 0) + n)
          metrics.retire(worker)
          now.delete(worker)
          seen.delete(worker)
          hanging.delete(worker)
        }
        if (what !== 'scrape') continue
        const answered = new Map<string, ProcessMetrics>()
        for (const [name, counts] of now) {
          if (hanging.has(name)) continue
          seen.set(name, new Map(counts))
          answered.set(name, asProcess([counter('calls_total', [...counts])]))
        }
        for (const [name, answer] of answered) metrics.note(name, answer)
        const expected = new Map(ended)
        for (const counts of seen.values())
          for (const [of, n] of counts) expected.set(of, (expected.get(of) ?? 0) + n)
        const found = new Map(
          [...(await metrics.totals(answered)).matchAll(/dataset="(\w)"} (\d+)/g)].map(([, of, n]) => [
            of!,
            Number(n),
          ]),
        )
        expect(found).toEqual(expected)
        for (const [of, n] of last) expect(found.get(of)).toBeGreaterThanOrEqual(n)
        last = found
      }
    }),
  )
})
