/**
 * Metrics of several processes as one scrape. Each series gets a label `worker`, so nothing is counted twice and
 * `sum without (worker)` is the total; the totals are also ready for those who cannot sum. Counters of processes that have
 * ended stay in the totals, which never go down.
 */

/** A metric with its series: the value by `name{labels}`. */
interface Family {
  /** The lines that begin with `#`. */
  readonly head: string[]
  isSummed: boolean
  readonly samples: Map<string, number>
}

/** Metrics that add up; gauges such as memory are of one process. */
const SUMMED = ['counter', 'histogram']

export class WorkerMetrics {
  /** The last text of each worker that runs. */
  readonly #last = new Map<string, string>()
  /** Sums of workers that have ended. */
  readonly #ended: Families = new Map()

  /** Notes what a worker answered to a scrape. */
  note(worker: string, text: string): void {
    this.#last.set(worker, text)
  }

  /** Adds the counters of a worker that has ended to the totals, as they were at its last scrape. */
  retire(worker: string): void {
    const text = this.#last.get(worker)
    this.#last.delete(worker)
    if (text !== undefined) addTo(this.#ended, text, (series, isSummed) => (isSummed ? series : null))
  }

  /** Every series of the workers that answered now, with its label. */
  labelled(answered: ReadonlyMap<string, string>): string {
    const families: Families = new Map()
    for (const [worker, text] of answered) addTo(families, text, (series) => withWorker(series, worker))
    return write(families)
  }

  /** Sums of all workers, also of those that ended or do not answer, and gauges of those that answered, with their label. */
  totals(answered: ReadonlyMap<string, string>): string {
    const families: Families = new Map()
    for (const [name, { samples, ...family }] of this.#ended)
      families.set(name, { ...family, samples: new Map(samples) })
    for (const [worker, text] of new Map([...this.#last, ...answered])) {
      const ofOne = (series: string) => (answered.has(worker) ? withWorker(series, worker) : null)
      addTo(families, text, (series, isSummed) => (isSummed ? series : ofOne(series)))
    }
    return write(families)
  }
}

/** By the name of the metric. */
type Families = Map<string, Family>

/** @param nameOf the series that a series of the text is added to; null: it is left out */
function addTo(
  families: Families,
  text: string,
  nameOf: (series: string, isSummed: boolean) => string | null,
): void {
  for (const [name, { head, isSummed, samples }] of parse(text)) {
    const family = families.get(name) ?? { head, isSummed, samples: new Map<string, number>() }
    families.set(name, family)
    for (const [series, value] of samples) {
      const to = nameOf(series, isSummed)
      if (to !== null) family.samples.set(to, (family.samples.get(to) ?? 0) + value)
    }
  }
}

function write(families: Families): string {
  const lines: string[] = []
  for (const { head, samples } of families.values()) {
    lines.push(...head)
    for (const [series, value] of samples) lines.push(`${series} ${writeNumber(value)}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}

function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** Reads the text format 0.0.4 as this program writes it: head first, then the samples, without times. */
function parse(text: string): Families {
  const families: Families = new Map()
  let family: Family | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      const [, word, name = '', kind = ''] = line.split(' ', 4)
      family = families.get(name) ?? { head: [], isSummed: false, samples: new Map() }
      families.set(name, family)
      family.head.push(line)
      if (word === 'TYPE') family.isSummed = SUMMED.includes(kind)
    } else if (line !== '' && family !== undefined) {
      const end = line.lastIndexOf(' ')
      family.samples.set(line.slice(0, end), readNumber(line.slice(end + 1)))
    }
  }
  return families
}

function readNumber(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
}

/** `name 1` and `name{a="b"} 1` with one more label; a name holds no brace. */
function withWorker(series: string, worker: string): string {
  const at = series.indexOf('{')
  if (at < 0) return `${series}{worker="${worker}"}`
  const rest = series.slice(at + 1)
  return `${series.slice(0, at)}{worker="${worker}"${rest === '}' ? '' : ','}${rest}`
}
