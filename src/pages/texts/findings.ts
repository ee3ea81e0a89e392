import { MENDED_WORDS, REASON_WORDS, REPAIR_WORDS } from '../../read/report/finding-words.ts'
import { type TextTable, textTable } from './texts.ts'

/** Why rows were quarantined, by code; in English in the words of the command line. */
export const REASON_TEXTS: TextTable<Record<keyof typeof REASON_WORDS, string>> = {
  ro: {
    too_few_cells: 'mai puține celule decât antetul',
    too_many_cells: 'mai multe celule decât antetul',
    line_break: 'un sfârșit de linie fără ghilimele a tăiat rândul',
    shifted: 'valorile stau cu o coloană alături de ale lor',
    broken_quote: 'ghilimelele unei celule nu se închid',
    invalid_json: 'linia nu este JSON',
    invalid_encoding: 'octeți care nu există în codificarea fișierului',
    hidden: 'foaia ascunde rândul',
    footnote: 'o notă de sub tabel',
    second_table: 'un al doilea tabel, sub primul',
    repeated_header: 'antetul, tipărit încă o dată',
    total_row: 'un rând de totaluri',
    required_missing: 'lipsește valoarea unei coloane obligatorii',
    key_missing: 'lipsește valoarea unei coloane din cheia primară',
    duplicate_key: 'un rând anterior are aceeași cheie primară',
    invalid_integer: 'nu este un număr întreg',
    invalid_decimal: 'nu este un număr',
    invalid_boolean: 'nu este nici da, nici nu',
    invalid_date: 'nu este o dată din calendar',
    invalid_datetime: 'nu este o dată cu oră',
  },
  en: REASON_WORDS,
}

/** What was repaired in cells, by kind; in English in the words of the command line. */
export const REPAIR_TEXTS: TextTable<Record<keyof typeof REPAIR_WORDS, string>> = {
  ro: {
    trimmed: 'spații la margini, eliminate',
    decimal_comma: 'virgulă zecimală, citită ca punct',
    thousands_separator: 'separatori de mii, eliminați',
    zero_fraction: 'zecimale nule, eliminate',
    leading_zeros: 'zerouri inițiale, eliminate',
    rounded: 'mai multe cifre decât încap, rotunjite',
    date_format: 'date scrise altfel, convertite în AAAA-LL-ZZ',
    assumed_utc: 'ore fără fus orar, citite ca UTC',
    boolean_word: 'da/nu, citite ca adevărat/fals',
    minus_sign: 'alt semn pentru minus',
    plus_sign: '+5, citit ca 5',
    percent_sign: '5 %, citit ca 5',
    misread_windows_1252: 'caractere de control, citite ca semnele din windows-1252',
    serial_date: 'un număr ca 45000, citit ca ziua pe care o înseamnă în foile de calcul',
    empty_text: 'texte goale, citite ca valori lipsă',
    stray_quote: 'ghilimele rătăcite, citite ca text',
    missing_cells: 'ultimele celule, absente din rând, citite ca valori lipsă',
    inner_delimiter: 'celule împărțite de un separator fără ghilimele, reunite',
    merged_cell: 'completate din celula îmbinată',
    error_cell: 'celule cu o eroare, citite ca valori lipsă',
  },
  en: REPAIR_WORDS,
}

/** What was done to records of another width, by kind. */
export const MENDED_TEXTS: TextTable<Record<keyof typeof MENDED_WORDS, string>> = {
  ro: {
    surplus_blanks: 'separatori în plus la sfârșit, fără nimic între ei, eliminați',
    joined: 'un text tăiat de un separator fără ghilimele, reunit',
    left_off: 'celule goale omise la sfârșit, citite ca valori lipsă',
  },
  en: MENDED_WORDS,
}

/** What nothing in the file proves, and how it was read, by kind. */
export const UNPROVEN_TEXTS = textTable({
  encoding: [
    (readAs: string) => `codificarea fișierului, citită ca ${readAs}: unele litere pot fi altele`,
    (readAs: string) => `the encoding of the file, read as ${readAs}: some letters may be others`,
  ],
  date_order: [
    (readAs: string) =>
      `ordinea zilei și a lunii în date ca 1/2/2019, citite cu ${readAs === 'mdy' ? 'luna' : 'ziua'} la început`,
    (readAs: string) =>
      `whether day or month comes first in dates such as 1/2/2019, read with the ${readAs === 'mdy' ? 'month' : 'day'} first`,
  ],
  decimal_mark: [
    (readAs: string) => `semnul zecimal, citit „${readAs}”`,
    (readAs: string) => `the decimal mark, read as “${readAs}”`,
  ],
})

/** What was checked in each row, by rule. */
export const RULE_TEXTS = textTable({
  type_string: ['valoarea este un text', 'the value is text'],
  type_integer: ['valoarea este un număr întreg', 'the value is a whole number'],
  type_decimal: ['valoarea este un număr', 'the value is a number'],
  type_boolean: ['valoarea este da sau nu', 'the value is yes or no'],
  type_date: ['valoarea este o dată din calendar', 'the value is a date'],
  type_datetime: ['valoarea este o dată cu oră', 'the value is a date with a time'],
  required: ['are o valoare', 'there is a value'],
  key: ['are o valoare, fiind în cheia primară', 'there is a value, as it is part of the primary key'],
  unique: ['nu se repetă, fiind cheia primară', 'occurs once, as it is the primary key'],
  reference: ['valoarea este în tabelul de referință', 'the value is in the reference table'],
})
