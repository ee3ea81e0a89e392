/** Decisions about a draft, applied over a definition; used by the service and by the page that shows them at once. */

import { isObject, withoutNulls } from '../../base/plain-object.ts'
import type { DefinitionPart } from './definition.ts'

/** Fields of a definition; null takes one back. */
export type Changes = Readonly<Record<string, unknown>>

/** Merges field by field, and `read` option by option; a field that is taken back disappears. */
export function withChanges(base: DefinitionPart, changes: Changes): DefinitionPart {
  const { read } = changes
  const options = isObject(read ?? {}) ? withoutNulls({ ...base.read, ...(read as object) }) : read
  const isEmpty = isObject(options) && Object.keys(options).length === 0
  return withoutNulls({ ...base, ...changes, read: isEmpty ? null : options }) as DefinitionPart
}
