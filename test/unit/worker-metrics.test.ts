/** Metrics of several processes as one scrape. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { WorkerMetrics } from '../../src/server/metrics/worker-metrics.ts'

const text = (calls: number, bytes: number, dataset = 'a } b') => `# HELP calls_total Calls
# TYPE calls_total counter
calls_total{dataset="${dataset}"} ${calls}
# HELP memory_bytes Memory
# TYPE memory_bytes gauge
memory_bytes ${bytes}
# HELP seconds Times
# TYPE seconds histogram
seconds_bucket{le="+Inf",dataset="${dataset}"} ${calls}
seconds_count{dataset="${dataset}"} ${calls}
`

test('every series gets its worker, and each metric one head', () => {
  const labelled = new WorkerMetrics().labelled(
    new Map([
      ['1', text(2, 10)],
      ['2', text(3, 20)],
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

test('totals keep gauges by worker, and say what is not a number as it is', () => {
  const metrics = new WorkerMetrics()
  const totals = metrics.totals(
    new Map([
      ['1', `${text(2, 10)}# TYPE lag gauge\nlag Nan\n`],
      ['2', text(3, 20)],
    ]),
  )
  expect(totals).toContain('calls_total{dataset="a } b"} 5\n')
  expect(totals).toContain('memory_bytes{worker="1"} 10\nmemory_bytes{worker="2"} 20\n')
  expect(totals).toContain('lag{worker="1"} NaN\n')
})

const DATASETS = ['a', 'b', 'c']
/** What happens to one of three workers. */
const event = fc.record({
  worker: fc.constantFrom('1', '2', '3'),
  what: fc.constantFrom('call', 'call', 'scrape', 'end', 'hang'),
  dataset: fc.constantFrom(...DATASETS),
})

test('totals are all calls that a scrape has ever seen, and never go down, whatever ends or hangs', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
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
        const answered = new Map<string, string>()
        for (const [name, counts] of now) {
          if (hanging.has(name)) continue
          seen.set(name, new Map(counts))
          const lines = [...counts].map(([of, n]) => `calls_total{dataset="${of}"} ${n}\n`)
          answered.set(name, `# TYPE calls_total counter\n${lines.join('')}`)
        }
        for (const [name, answer] of answered) metrics.note(name, answer)
        const expected = new Map(ended)
        for (const counts of seen.values())
          for (const [of, n] of counts) expected.set(of, (expected.get(of) ?? 0) + n)
        const found = new Map(
          [...metrics.totals(answered).matchAll(/dataset="(\w)"} (\d+)/g)].map(([, of, n]) => [
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
