/** What a wrong field or word of a definition may have meant: half a sentence to end a message with, or nothing. */

import { suggest } from '../../base/text/suggest.ts'

/** What other programs call a type. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  text: 'string',
  number: 'integer or decimal',
  int: 'integer',
  float: 'decimal',
  double: 'decimal',
  bool: 'boolean',
  timestamp: 'datetime',
}

/** The objects of a definition that have fields of their own. */
type FieldPlace = '' | 'read' | 'columns'

const PLACES: Readonly<Record<FieldPlace, string>> = {
  read: 'under "read"',
  '': 'beside "id"',
  columns: 'in an entry of "columns"',
}

/** @param known the words that may stand there */
export function suggestWord(word: string, known: readonly string[]): string {
  const other = OTHER_WORDS[word.toLowerCase()]
  const [near] = other !== undefined && known.includes('string') ? [other] : suggest(word, known)
  return near === undefined ? '' : `: did you mean ${near}?`
}

/** @param path of the object that has the field, such as `columns[0]`; @param fields known ones by place */
export function suggestField(
  field: string,
  path: string,
  fields: Readonly<Record<FieldPlace, readonly string[]>>,
): string {
  const own = path.replace(/\[.*/, '') as FieldPlace
  for (const place of Object.keys(PLACES) as FieldPlace[])
    if (place !== own && fields[place].includes(field)) return `. '${field}' belongs ${PLACES[place]}`
  return suggestWord(field, fields[own])
}
