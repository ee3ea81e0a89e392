/** A description for datasets whose publisher wrote none. */

import type { Descriptor } from '../store/catalog/record.ts'

/** The most column names in the sentence. */
const MOST_NAMES = 12

/** The publisher's description, or one in English made from the ingest's counts. */
export function describedBy(descriptor: Descriptor): { readonly text: string; readonly isOurs: boolean } {
  const { description, title, row_count, columns, provenance } = descriptor
  if (description !== null && description.trim() !== '') return { text: description, isOurs: false }
  const names = columns.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = columns.length > MOST_NAMES ? ` and ${columns.length - MOST_NAMES} more` : ''
  const rows = row_count.toLocaleString('en')
  return {
    text: `${title}: ${rows} rows with the columns ${names.join(', ')}${more}. Ingested from the file ${provenance.source_file}.`,
    isOurs: true,
  }
}
