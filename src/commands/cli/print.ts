/** Output of commands: aligned tables and readable numbers for people, JSON for programs. */

import { styleText } from 'node:util'
import type { Cli } from './cli.ts'

const formatCount = new Intl.NumberFormat('en-US').format

/** A size in the unit that leaves one to three digits before the point: `57.3 MB`. Decimal units. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** A duration given in milliseconds, in seconds when it is that long: `850 ms`, `4.2 s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** `1 row`, `2 rows`, `16,978 rows`. */
export function formatAmount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`
}

/** Prints one value as JSON on one line, as every command does with `--json`. */
export function printJson(cli: Cli, value: unknown): void {
  cli.print(`${JSON.stringify(value)}\n`)
}

/** Columns by title: a field of the rows, or a function that makes the value from a row. */
export type TableColumns<Row> = Readonly<
  Record<string, keyof Row | ((row: Row) => string | number | null | undefined)>
>

const width = (text: string): number => Bun.stringWidth(text)

/** A user's or a file's text on one line: control characters must not reach the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
export const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/**
 * Prints rows under their titles, with numbers aligned right and with thousands separators. Nothing is cut off, so a
 * line may be longer than the terminal is wide.
 */
export function printTable<Row>(cli: Cli, rows: readonly Row[], columns: TableColumns<Row>): void {
  const [titles, sources] = [Object.keys(columns), Object.values(columns)]
  const values = rows.map((row) =>
    sources.map(
      (source) => (typeof source === 'function' ? source(row) : (row[source] as string | number)) ?? '',
    ),
  )
  const texts = values.map((row) => row.map((v) => (typeof v === 'number' ? formatCount(v) : oneLine(v))))
  const widths = titles.map((title, i) =>
    Math.max(width(title), ...texts.map((row) => width(row[i] as string))),
  )
  const numeric = titles.map((_, i) => values.length > 0 && values.every((row) => typeof row[i] === 'number'))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const padding = ' '.repeat((widths[i] as number) - width(cell))
        return numeric[i] ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd()
  const bold = (text: string) => paint(cli)('bold', text)
  cli.print(`${bold(line(titles))}\n`)
  for (const row of texts) cli.print(`${line(row)}\n`)
}

/** Prints `name  value` lines with the values aligned; empty values are left out. */
export function printFacts(
  cli: Cli,
  facts: readonly (readonly [string, string | number | null | undefined])[],
): void {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const widest = Math.max(0, ...shown.map(([name]) => name.length))
  for (const [name, value] of shown) {
    const text = typeof value === 'number' ? formatCount(value) : oneLine(value as string)
    cli.print(`${name.padEnd(widest)}  ${text}\n`)
  }
}

/** Styles words for standard output, unless colours are off. */
export function paint(cli: Cli): (style: Parameters<typeof styleText>[0], text: string) => string {
  const isOn = cli.colored && cli.terminal.output
  return (style, text) => (isOn ? styleText(style, text, { validateStream: false }) : text)
}
