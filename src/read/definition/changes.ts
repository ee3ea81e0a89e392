/** What is decided about a draft, over what a definition says; for the service and for the page that shows it at once. */

import { isObject, withoutNulls } from '../../base/plain-object.ts'
import type { DefinitionPart } from './definition.ts'

/** Fields of a definition, null where one is taken back. */
export type Changes = Readonly<Record<string, unknown>>

/** Field by field, `read` option by option; a field that is taken back is nowhere. */
export function withChanges(base: DefinitionPart, changes: Changes): DefinitionPart {
  const { read } = changes
  const options = isObject(read ?? {}) ? withoutNulls({ ...base.read, ...(read as object) }) : read
  const isEmpty = isObject(options) && Object.keys(options).length === 0
  return withoutNulls({ ...base, ...changes, read: isEmpty ? null : options }) as DefinitionPart
}
