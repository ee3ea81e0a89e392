/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'

export interface TableOptions {
  /** What it shows, for those who hear the page. */
  readonly label: string
  /** Headings; one in brackets heads numbers. */
  readonly head: readonly (string | readonly [string])[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  readonly id?: string
}

/** A table in a box that scrolls sideways and is reached with the keyboard. */
export function Table({ label, head, rows, id }: TableOptions) {
  const classes = head.map((heading) => (typeof heading === 'string' ? undefined : 'number'))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached with the keyboard
    <section class="scroll" tabIndex={0} aria-label={label} id={id}>
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
              {cells.map((cell, column) => (
                <td class={classes[column]} key={column}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
