/** Warnings of a report in words for people who work on a page: the report itself names options of the command line. */

import type { Language } from '../../base/text/language.ts'
import { WARNING_TEXTS } from '../texts/desk-warnings.ts'
import { asSentence } from './decision-texts.ts'

type Warning = keyof (typeof WARNING_TEXTS)['en']

/** What the report says, with the values in groups. */
const PATTERNS: Readonly<Record<Warning, RegExp>> = {
  encodingOther:
    /^the encoding is taken to be (?<encoding>\S+), but nothing proves it: '(?<word>.*)' would be '(?<other>.*)' in (?<another>[\w-]+)\./,
  encodingWords:
    /^the encoding is taken to be (?<encoding>\S+), but nothing proves it: words such as '(?<word>.*)' are/,
  encodingAsked:
    /^the file is read as (?<encoding>\S+), as asked, but all of it is valid (?<another>[\w-]+): '(?<word>.*)' would be '(?<other>.*)'\./,
  brokenHeader: /^the header has bytes that (?<encoding>\S+) does not have, in (?<names>.*)\. If the file/,
  dateOrder: /^'(?<column>.*)' has dates like (?<example>.*), read with the (?<first>day|month) first, but/,
  decimalMark: /^'(?<column>.*)' has numbers like (?<example>\S+), read as (?<value>\S+); if that/,
  formulas: /^the sheet '(?<sheet>.*)' has (?<count>\d+) formulas? without a stored result/,
  unnamedHeader: /^the header on line (?<line>\d+) names no column/,
  repeatedNames: /^(?<count>\d+) values stand under a name that comes again/,
  quotes: /^'(?<column>.*)' keeps the double quotes around (?<count>\d+) of its values/,
  rowCount: /^the served version has (?<before>\d+) rows, this one has (?<now>\d+)$/,
  noRows: /^the file has a header and no rows$/,
  allLeftOut: /^(the only row is|all \d+ rows are) in quarantine$/,
  password: /^the password or key in the address of (?<host>\S+) is not kept/,
  notEncrypted: /^(?<address>\S+) was fetched without encryption/,
}

/** The first sentence that fits; else the report's own one, which is in English. */
export function sayWarning(language: Language, warning: string): { text: string; isEnglish: boolean } {
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const found = pattern.exec(warning)
    if (found === null) continue
    return { text: WARNING_TEXTS[language][name as Warning](found.groups ?? {}), isEnglish: false }
  }
  return { text: asSentence(warning), isEnglish: language !== 'en' }
}
