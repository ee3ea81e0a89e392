/**
 * The measures of the Pollock benchmark (Vitagliano et al., "Pollock: A Data Loading Benchmark", PVLDB 16(8), 2023) for
 * one file: whether it was loaded at all, and precision, recall and F1 of its header's cells, of its records and of all
 * of its cells, each as a multiset, against the cleaned version of the file.
 */

export interface Table {
  readonly header: readonly string[]
  readonly records: readonly (readonly string[])[]
}

interface Agreement {
  /** Share of what was loaded that is in the clean version. */
  readonly precision: number
  /** Share of the clean version that was loaded. */
  readonly recall: number
  readonly f1: number
}

export interface Measures {
  readonly header: Agreement
  readonly records: Agreement
  readonly cells: Agreement
  /** 0..10: one for having loaded the file, and the nine figures. */
  readonly score: number
}

/**
 * White space at the ends of a cell or repeated in it makes no difference, nor does case, nor do signs that join the levels
 * of a header.
 */
export function measure(loaded: Table, clean: Table): Measures {
  const loadedRecords = loaded.records.map((record) => record.map(normalize))
  const cleanRecords = clean.records.map((record) => record.map(normalize))
  const loadedHeader = loaded.header.map(normalizeHeader)
  const cleanHeader = clean.header.map(normalizeHeader)
  const header = agree(loadedHeader, cleanHeader)
  // The benchmark compares the text of a whole record, not where its cells end.
  const records = agree(
    loadedRecords.map((record) => record.join('')),
    cleanRecords.map((record) => record.join('')),
  )
  const cells = agree([...loadedHeader, ...loadedRecords.flat()], [...cleanHeader, ...cleanRecords.flat()])
  const sum = (agreement: Agreement) => agreement.precision + agreement.recall + agreement.f1
  return { header, records, cells, score: 1 + sum(header) + sum(records) + sum(cells) }
}

/** The loaded records that the clean version lacks, cell by cell; columns without any value are ignored in both. */
export function findStrangers(loaded: Table, clean: Table): (readonly string[])[] {
  const left = Map.groupBy(cellsOf(clean), (record) => record.join('\n'))
  return cellsOf(loaded).filter((record) => left.get(record.join('\n'))?.pop() === undefined)
}

function cellsOf({ records }: Table): string[][] {
  const cells = records.map((record) => record.map(normalize))
  const width = Math.max(0, ...cells.map(({ length }) => length))
  const filled = Array.from({ length: width }, (_, column) => cells.some((record) => record[column]))
  return cells.map((record) => filled.flatMap((isFilled, column) => (isFilled ? [record[column] ?? ''] : [])))
}

/** Without the columns that have neither a name nor any value. The benchmark counts their empty cells. */
export function dropEmptyColumns({ header, records }: Table): Table {
  const isEmpty = (name: string, column: number) =>
    name.trim() === '' && records.every((record) => (record[column] ?? '').trim() === '')
  const kept = header.flatMap((name, column) => (isEmpty(name, column) ? [] : [column]))
  const pick = (row: readonly string[]) => kept.map((column) => row[column] ?? '')
  return { header: pick(header), records: records.map(pick) }
}

function normalize(cell: string): string {
  return cell.trim().replace(/\s+/g, ' ').toLowerCase()
}

function normalizeHeader(cell: string): string {
  return normalize(cell.replace(/[^\p{L}\p{N}]+/gu, ' '))
}

function agree(loaded: readonly string[], clean: readonly string[]): Agreement {
  if (clean.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const left = new Map<string, number>()
  for (const text of clean) left.set(text, (left.get(text) ?? 0) + 1)
  let common = 0
  for (const text of loaded) {
    const count = left.get(text) ?? 0
    if (count === 0) continue
    left.set(text, count - 1)
    common++
  }
  if (common === 0) return { precision: 0, recall: 0, f1: 0 }
  const precision = common / loaded.length
  const recall = common / clean.length
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}

/** A reader of the cleaned files: commas, double quotes, LF. It has nothing in common with the program's own. */
export function readCleanTable(text: string): Table {
  const records: string[][] = [[]]
  const cell = /("(?:[^"]|"")*"|[^,\n"]*)(,|\n|$)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (!found) throw new Error(`no cell can be read at ${at}`)
    const [, written = '', end] = found
    const unquoted = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written
    records.at(-1)?.push(unquoted)
    if (end === '\n' && cell.lastIndex < text.length) records.push([])
  }
  const [header = [], ...rest] = records
  return { header, records: rest }
}
