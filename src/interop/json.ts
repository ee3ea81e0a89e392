/** JSON for strict parsers. */

/** As `JSON.stringify`, with halves of surrogate pairs, which RDF and many parsers refuse, replaced by U+FFFD. */
export function wellFormedJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part),
    indent,
  )
}
