/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { Language } from '../../base/text/language.ts'
import { formatDay } from '../texts/texts.ts'

interface FactOptions {
  readonly name: ComponentChildren
  readonly class?: string
  readonly id?: string
  readonly children: ComponentChildren
}

export function Fact({ name, children, ...value }: FactOptions) {
  return (
    <>
      <dt>{name}</dt>
      <dd {...value}>{children}</dd>
    </>
  )
}

export function BoxedFact(options: FactOptions) {
  return (
    <div>
      <Fact {...options} />
    </div>
  )
}

/** The day of an RFC 3339 timestamp, in words. */
export function Day({ language, at }: { language: Language; at: string }) {
  return <time dateTime={at}>{formatDay(language, at)}</time>
}
