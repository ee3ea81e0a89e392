/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** The heading of a column by which rows can be sorted. */
interface SortHead {
  readonly link: ComponentChildren
  readonly isNumber: boolean
  readonly sorted: 'ascending' | 'descending' | undefined
}

export interface TableOptions {
  readonly label: string
  /** Headings; one in an array heads a column of numbers. */
  readonly head: readonly (string | readonly [string] | SortHead)[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** A separate last row, with totals. */
  readonly foot?: readonly ComponentChildren[]
  /** Whether the first cell of a row is the row's heading. */
  readonly hasRowHeads?: boolean
  readonly class?: string
  readonly isTall?: boolean
}

export function TitledTable({ text, ...table }: TableOptions & { text?: string }) {
  if (table.rows.length === 0) return null
  return (
    <>
      <h3>{table.label}</h3>
      {text && <p>{text}</p>}
      <Table {...table} />
    </>
  )
}

export function Table(options: TableOptions) {
  const { label, head, rows, foot, hasRowHeads = false, class: look, isTall = false } = options
  const heads = head.map((one) => {
    if (typeof one === 'string') return { link: one, isNumber: false, sorted: undefined }
    return 'link' in one ? one : { link: one[0], isNumber: true, sorted: undefined }
  })
  const classes = heads.map(({ isNumber }) => (isNumber ? 'number' : undefined))
  const lineOf = (cells: readonly ComponentChildren[], row: number) => (
    <tr key={row}>
      {cells.map((cell, column) =>
        hasRowHeads && column === 0 ? (
          <th scope="row">{cell}</th>
        ) : (
          <td class={classes[column]} key={column}>
            {cell}
          </td>
        ),
      )}
    </tr>
  )
  return (
    <ScrollBox label={label} isTall={isTall}>
      <table class={look}>
        <thead>
          <tr>
            {heads.map(({ link, sorted }, column) => (
              <th scope="col" class={classes[column]} aria-sort={sorted} key={column}>
                {link}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(lineOf)}</tbody>
        {foot && <tfoot>{lineOf(foot, 0)}</tfoot>}
      </table>
    </ScrollBox>
  )
}

interface ScrollBoxOptions {
  readonly label: string
  readonly isBusy?: boolean
  readonly isTall?: boolean
  readonly children: ComponentChildren
}

/** A box for contents wider than the page: it scrolls and can be focused by keyboard. */
export function ScrollBox({ label, isBusy, isTall = false, children }: ScrollBoxOptions) {
  const kind = isTall ? 'scroll tall' : 'scroll'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be one landmark too many
    <div class={kind} role="group" aria-label={label} tabIndex={0} aria-busy={isBusy}>
      {children}
    </div>
  )
}

/** A labelled choice. @param onChoose called on each choice; a form sends the value under `name` */
export function Select<T extends string>(options: {
  id: string
  name: string
  label: string
  value: T
  choices: readonly (readonly [value: T, text: string])[]
  onChoose?: (value: T) => void
}) {
  const { id, name, label, value, choices, onChoose } = options
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onInput={onChoose && ((event) => onChoose(event.currentTarget.value as T))}
      >
        {choices.map(([one, text]) => (
          <option value={one}>{text}</option>
        ))}
      </select>
    </div>
  )
}

/** Links to the pages of a list. @param address of the page that begins at an offset */
export function PageLinks(options: {
  name: string
  address: (offset: number) => string
  offset: number
  step: number
  range?: string
  /** Names of the links; without this one there is no link to the first page. */
  first?: string
  previous: string
  next: string | null
}) {
  const { name, address, offset, step, range, first, previous, next } = options
  const link = (text: string, at: number) => (
    <a class="button small" rel="nofollow" href={address(Math.max(0, at))} data-go="page">
      {text}
    </a>
  )
  if (offset === 0 && next === null) return null
  return (
    <nav class="row pages" aria-label={name}>
      {offset > 0 && first && link(first, 0)}
      {offset > 0 && link(previous, offset - step)}
      {range && <span class="soft number">{range}</span>}
      {next !== null && link(next, offset + step)}
    </nav>
  )
}
