import { REASON_WORDS, REPAIR_WORDS } from '../../ingest/finding-words.ts'
import { textTable } from './texts.ts'

/** Why rows were put aside, by code; in English as the command line says it. */
export const REASON_TEXTS = textTable<Record<keyof typeof REASON_WORDS, string>>(
  {
    too_few_cells: 'mai puține celule decât antetul',
    too_many_cells: 'mai multe celule decât antetul',
    broken_quote: 'ghilimelele unei celule nu se închid',
    invalid_json: 'linia nu este JSON',
    footnote: 'o notă de sub tabel',
    repeated_header: 'antetul, tipărit încă o dată',
    total_row: 'un rând de totaluri',
    required_missing: 'lipsește valoarea unei coloane obligatorii',
    key_missing: 'lipsește valoarea unei coloane din cheia primară',
    duplicate_key: 'un rând dinainte are aceeași cheie primară',
    invalid_integer: 'nu este un număr întreg',
    invalid_decimal: 'nu este un număr',
    invalid_boolean: 'nu este nici da, nici nu',
    invalid_date: 'nu este o dată din calendar',
    invalid_datetime: 'nu este o dată cu oră',
  },
  REASON_WORDS,
)

/** What was mended in cells, by kind; in English as the command line says it. */
export const REPAIR_TEXTS = textTable<Record<keyof typeof REPAIR_WORDS, string>>(
  {
    trimmed: 'spații la margini, tăiate',
    decimal_comma: 'virgulă zecimală, citită ca punct',
    thousands_separator: 'separatori de mii, scoși',
    zero_fraction: 'zecimale nule, lăsate la o parte',
    leading_zeros: 'zerouri din față, lăsate la o parte',
    rounded: 'mai multe cifre decât încap, rotunjite',
    date_format: 'date scrise altfel, aduse la AAAA-LL-ZZ',
    assumed_utc: 'ore fără fus orar, luate ca UTC',
    boolean_word: 'da/nu, citite ca adevărat/fals',
    minus_sign: 'alt semn pentru minus',
    plus_sign: '+5, citit ca 5',
    percent_sign: '5 %, citit ca 5',
    misread_windows_1252: 'caractere de control, citite ca semnele din windows-1252',
    serial_date: 'un număr ca 45000, citit ca ziua pe care o înseamnă în foile de calcul',
    empty_text: 'texte goale, luate ca valori lipsă',
    stray_quote: 'ghilimele rătăcite, luate ca text',
    missing_cells: 'ultimele celule, absente din rând, luate ca valori lipsă',
    inner_delimiter: 'celule tăiate de un separator fără ghilimele, lipite la loc',
    merged_cell: 'completate din celula îmbinată',
    error_cell: 'celule cu o eroare, luate ca valori lipsă',
  },
  REPAIR_WORDS,
)

/** What was checked in each row, by rule. */
export const RULE_TEXTS = textTable(
  {
    type_string: 'valoarea este un text',
    type_integer: 'valoarea este un număr întreg',
    type_decimal: 'valoarea este un număr',
    type_boolean: 'valoarea este da sau nu',
    type_date: 'valoarea este o dată din calendar',
    type_datetime: 'valoarea este o dată cu oră',
    required: 'are o valoare',
    key: 'are o valoare, fiind în cheia primară',
    unique: 'nu se repetă, fiind cheia primară',
    reference: 'valoarea este în tabelul de referință',
  },
  {
    type_string: 'the value is a text',
    type_integer: 'the value is a whole number',
    type_decimal: 'the value is a number',
    type_boolean: 'the value is yes or no',
    type_date: 'the value is a date',
    type_datetime: 'the value is a date with a time',
    required: 'there is a value',
    key: 'there is a value, as part of the primary key',
    unique: 'occurs once, as the primary key',
    reference: 'the value is in the reference table',
  },
)
