/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { ScrollBox } from './scroll-box.tsx'

export interface TableOptions {
  /** What the table shows, for screen readers. */
  readonly label: string
  /** Headings; one in brackets heads numbers. */
  readonly head: readonly (string | readonly [string])[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Whether the first cell of a row is the row's heading. */
  readonly hasRowHeads?: boolean
}

/** A table under its heading; nothing where it has no rows. */
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

/** A table in a box that scrolls sideways. */
export function Table({ label, head, rows, hasRowHeads = false }: TableOptions) {
  const classes = head.map((heading) => (typeof heading === 'string' ? undefined : 'number'))
  return (
    <ScrollBox label={label}>
      <table>
        <thead>
          <tr>
            {head.map((heading, column) => (
              <th scope="col" class={classes[column]} key={column}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
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
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
