import type { ComponentChildren } from 'preact'

export interface TableOptions {
  readonly label: string
  /** Headings; one in brackets heads numbers. */
  readonly head: readonly (string | readonly [string])[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Whether the first cell of a row is the row's heading. */
  readonly hasRowHeads?: boolean
  readonly class?: string
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

/** A table in a box that scrolls sideways. */
export function Table({ label, head, rows, hasRowHeads = false, class: look }: TableOptions) {
  const classes = head.map((heading) => (typeof heading === 'string' ? undefined : 'number'))
  return (
    <ScrollBox label={label}>
      <table class={look}>
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

interface ScrollBoxOptions {
  readonly label: string
  readonly isBusy?: boolean
  readonly isTall?: boolean
  readonly children: ComponentChildren
}

/** A box for contents wider than the page: it scrolls, and the keyboard can focus it. */
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
