/** The parameter `q`: words that rows are searched for (contract 7). */

import { wordsOf } from '../base/text/words.ts'
import type { ColumnFilter, Filter } from '../engine/query.ts'
import type { QueryParameter } from './parameters.ts'

/** The words, folded; none where there is only punctuation. undefined: not given. */
export const WORDS: QueryParameter<readonly string[] | undefined> = {
  fallback: undefined,
  code: 'invalid_value',
  read(text, note) {
    if (text.trim() === '') note({ message: 'parameter "q", the words to look for, is empty' })
    return wordsOf(text)
  },
}

/** The filters of a query that looks for `words` as well, where it does. */
export function withWords(
  filters: readonly ColumnFilter[],
  words: readonly string[] | undefined,
): readonly Filter[] {
  return words === undefined ? filters : [...filters, { words }]
}
