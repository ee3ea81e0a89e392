/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'

interface FactOptions {
  readonly name: ComponentChildren
  /** Class of the value. */
  readonly class?: string
  /** Id of the value. */
  readonly id?: string
  readonly children: ComponentChildren
}

/** A name and its value in a list of facts (`dl`). */
export function Fact({ name, children, ...value }: FactOptions) {
  return (
    <>
      <dt>{name}</dt>
      <dd {...value}>{children}</dd>
    </>
  )
}

/** As `Fact`, in a box of its own. */
export function BoxedFact(options: FactOptions) {
  return (
    <div>
      <Fact {...options} />
    </div>
  )
}
