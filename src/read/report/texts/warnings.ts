/** The warnings of a report by code. Codes and values are public (contract 6). */

import { countEnglish, countRomanian, formatNumber } from '../../../base/text/numbers.ts'
import type { PersonalColumn } from '../decisions.ts'
import { GATE_REFUSALS } from './gate-refusals.ts'
import { row } from './row.ts'

type Order = 'dmy' | 'mdy'

const OTHER: Readonly<Record<Order, Order>> = { dmy: 'mdy', mdy: 'dmy' }

const PERSONAL: Readonly<Record<PersonalColumn['kind'], { readonly ro: string; readonly en: string }>> = {
  cnp: { ro: 'coduri numerice personale', en: 'personal identification numbers (CNP)' },
  email: { ro: 'adrese de e-mail', en: 'e-mail addresses' },
  phone: { ro: 'numere de telefon', en: 'telephone numbers' },
  iban: { ro: 'conturi bancare (IBAN)', en: 'bank accounts (IBAN)' },
}

type Mark = '.' | ','

/** The decimal mark by which an example with a single mark was read, and the other one. */
function marksOf({
  example,
  value,
}: {
  readonly example: string
  readonly value: string
}): readonly [Mark, Mark] {
  const isComma = example.includes(',')
  const isThousands = value.replace('-', '') === example.replaceAll(/\D/g, '')
  return isComma === isThousands ? ['.', ','] : [',', '.']
}

const ORDER_OF_DATES = {
  ro: 'Alegeți ordinea la „Cum se citește fișierul”.',
  en: 'Choose the order under “How the file is read”.',
}

export const WARNINGS = {
  /** Nothing proves the encoding, and another one reads the words as well. */
  encoding_other: row<{ encoding: string; word: string; other: string; other_encoding: string }>({
    ro: ({ encoding, word, other, other_encoding }) =>
      `Literele s-au citit ca ${encoding}, dar nimic nu o dovedește: „${word}” ar fi „${other}” în ${other_encoding}.`,
    en: ({ encoding, word, other, other_encoding }) =>
      `The letters were read as ${encoding}, but nothing proves it: “${word}” would be “${other}” in ${other_encoding}.`,
    desk: {
      ro: ({ other_encoding }) =>
        `Dacă al doilea cuvânt este cel corect, alegeți ${other_encoding} la „Codificarea caracterelor”.`,
      en: ({ other_encoding }) =>
        `If the second word is right, choose ${other_encoding} under “Character encoding”.`,
    },
    shell: ({ encoding, other_encoding }) =>
      `--encoding ${other_encoding} reads it so, --encoding ${encoding} confirms.`,
  }),
  /** Nothing proves the encoding, and some words belong to no language. */
  encoding_words: row<{ encoding: string; word: string }>({
    ro: ({ encoding, word }) =>
      `Literele s-au citit ca ${encoding}, dar cuvinte precum „${word}” par greșite.`,
    en: ({ encoding, word }) =>
      `The letters were read as ${encoding}, but words such as “${word}” look wrong.`,
    desk: {
      ro: 'Dacă sunt, alegeți alta la „Codificarea caracterelor”.',
      en: 'If they are, choose another one under “Character encoding”.',
    },
    shell: ({ encoding }) => `--encoding names another one, --encoding ${encoding} confirms.`,
  }),
  /** The encoding was requested, and another one fits too. */
  encoding_asked: row<{ encoding: string; word: string; other: string; other_encoding: string }>({
    ro: ({ encoding, word, other, other_encoding }) =>
      `Fișierul se citește ca ${encoding}, cum ați ales, dar poate fi și ${other_encoding}: „${word}” ar fi „${other}”.`,
    en: ({ encoding, word, other, other_encoding }) =>
      `The file is read as ${encoding}, as you chose, but it may also be ${other_encoding}: “${word}” would be “${other}”.`,
    shell: ({ other_encoding }) => `--encoding ${other_encoding} reads it so.`,
  }),
  header_bytes: row<{ encoding: string; names: string }>({
    ro: ({ encoding, names }) => `Antetul are semne care nu există în ${encoding}: ${names}.`,
    en: ({ encoding, names }) => `The header has bytes that do not exist in ${encoding}: ${names}.`,
    desk: {
      ro: 'Alegeți altă codificare a caracterelor sau scrieți dumneavoastră numele coloanelor.',
      en: 'Choose another character encoding, or write the names of the columns yourself.',
    },
    shell:
      'If the file is in another encoding, name it with --encoding; else a definition says what the columns are called.',
  }),
  date_order: row<{ column: string; example: string; order: Order }>({
    ro: ({ column, example, order }) =>
      `Coloana ${column} are date ca ${example}, citite cu ${order === 'dmy' ? 'ziua' : 'luna'} la început, dar nimic nu o dovedește.`,
    en: ({ column, example, order }) =>
      `The column ${column} has dates such as ${example}, read with the ${order === 'dmy' ? 'day' : 'month'} first, but nothing proves it.`,
    desk: ORDER_OF_DATES,
    shell: ({ order }) =>
      `--date-order ${OTHER[order]} reads them the other way, --date-order ${order} confirms.`,
  }),
  /** Values prove another order than the requested one. */
  date_order_proven: row<{ column: string; order: Order }>({
    ro: ({ column, order }) =>
      `Datele din coloana ${column} se citesc cu ${order === 'dmy' ? 'ziua' : 'luna'} la început, deși ați ales invers: una dintre ele nu se poate citi altfel.`,
    en: ({ column, order }) =>
      `The dates of the column ${column} are read with the ${order === 'dmy' ? 'day' : 'month'} first, although you chose otherwise: one of them cannot be read in any other way.`,
  }),
  decimal_mark: row<{ column: string; example: string; value: string }>({
    ro: ({ column, example, value }) => `Coloana ${column} are numere ca ${example}, citite ca ${value}.`,
    en: ({ column, example, value }) =>
      `The column ${column} has numbers such as ${example}, read as ${value}.`,
    desk: {
      ro: 'Dacă este greșit, alegeți celălalt separator zecimal la „Cum se citește fișierul”.',
      en: 'If that is wrong, choose the other decimal mark under “How the file is read”.',
    },
    shell: (values) =>
      `If that is wrong, "decimal_mark": "${marksOf(values)[1]}" under "read" in a definition says so.`,
  }),
  /** Only a few values, or numbers of another kind, prove that an example is a decimal. */
  decimal_mark_rare: row<{ column: string; example: string; value: string; proof: string }>({
    ro: ({ column, example, value, proof }) =>
      `Coloana ${column} are numere ca ${example}, citite ca ${value} din cauza unor valori puține sau de alt fel, ca ${proof}: semnul din ${example} poate despărți miile.`,
    en: ({ column, example, value, proof }) =>
      `The column ${column} has numbers such as ${example}, read as ${value} because of values that are few or of another kind, such as ${proof}: the sign in ${example} may separate thousands.`,
    desk: {
      ro: 'Verificați și alegeți separatorul zecimal la „Cum se citește fișierul”, ori tipul text pentru coloană.',
      en: 'Check, and choose the decimal mark under “How the file is read”, or the type text for the column.',
    },
    shell: (values) =>
      `"decimal_mark": "${marksOf(values)[0]}" under "read" in a definition confirms the reading, "type": "string" in a definition keeps the texts.`,
  }),
  /** From a line on, some columns have values like those that others of them had before. */
  columns_exchanged: row<{ columns: string; line: number }>({
    ro: ({ columns, line }) =>
      `De la linia ${line} încolo, valorile coloanelor ${columns} își schimbă locul între ele: a doua parte a fișierului pare să aibă coloanele în altă ordine. Puneți-le în ordinea din antet, apoi încărcați din nou fișierul.`,
    en: ({ columns, line }) =>
      `From line ${line} on, the values of the columns ${columns} change places: the second part of the file seems to have its columns in another order. Put them in the order of the header, then send the file again.`,
  }),
  formulas: row<{ sheet: string; count: number }>({
    ro: ({ sheet, count }) =>
      `În foaia „${sheet}” sunt formule fără rezultat (${count}), citite ca celule goale. Deschideți fișierul într-un program de calcul tabelar și salvați-l, apoi încărcați-l din nou.`,
    en: ({ sheet, count }) =>
      `The sheet “${sheet}” has formulas without a result (${count}), read as empty. Open the file in a spreadsheet program and save it, then send it again.`,
  }),
  unnamed_header: row<{ line: number }>({
    ro: ({ line }) => `Antetul de pe linia ${line} nu numește nicio coloană.`,
    en: ({ line }) => `The header on line ${line} names no column.`,
    desk: {
      ro: 'Bifați rândul care le numește sau dați-le nume dumneavoastră.',
      en: 'Tick the row that names them, or name them yourself.',
    },
  }),
  repeated_names: row<{ count: number }>({
    ro: ({ count }) =>
      `În unele obiecte JSON același nume apare de mai multe ori (${countRomanian(count, 'valoare', 'valori')}); s-a păstrat ultima valoare.`,
    en: ({ count }) =>
      `In some JSON objects a name occurs more than once (${countEnglish(count, 'value', 'values')}); the last value was kept.`,
  }),
  double_quotes: row<{ column: string; count: number }>({
    ro: ({ column, count }) =>
      `Coloana ${column} păstrează ghilimelele din jurul unor valori (${count}), fiindcă fișierul pare să folosească apostrofuri.`,
    en: ({ column, count }) =>
      `The column ${column} keeps the double quotes around some values (${count}), as the file seems to use apostrophes.`,
    desk: {
      ro: 'Alegeți ghilimelele la „Cum se citește fișierul”.',
      en: 'Choose the quotes under “How the file is read”.',
    },
    shell: '--quote settles it.',
  }),
  /** `columns`: their names, separated by commas; empty: none. */
  hidden: row<{ rows: number; columns: string }>({
    ro: ({ rows, columns }) =>
      [
        rows > 0 &&
          `În foaie ${rows === 1 ? 'este ascuns un rând, care nu se publică' : `sunt ascunse ${countRomanian(rows, 'rând', 'rânduri')}, care nu se publică`}.`,
        columns !== '' && `Coloane ascunse, lăsate deoparte: ${columns}.`,
      ]
        .filter(Boolean)
        .join(' '),
    en: ({ rows, columns }) =>
      [
        rows > 0 &&
          `The sheet hides ${countEnglish(rows, 'row, which is not published', 'rows, which are not published')}.`,
        columns !== '' && `Hidden columns, left out: ${columns}.`,
      ]
        .filter(Boolean)
        .join(' '),
    shell: '--hidden reads what the sheet hides.',
  }),
  ignored_option: row<{ option: string; format: string }>({
    ro: ({ option, format }) =>
      `${option === 'encoding' ? 'Codificarea caracterelor' : 'Separatorul celulelor'} nu contează la un fișier ${format.toUpperCase()}: alegerea a fost ignorată.`,
    en: ({ option, format }) =>
      `The ${option === 'encoding' ? 'character encoding' : 'cell separator'} means nothing in a file of the format ${format.toUpperCase()}: the choice was ignored.`,
  }),
  /** Rows that are totals of other rows, how many of them are proven by their numbers, and their lines. */
  subtotals: row<{ count: number; sums: number; lines: string }>({
    ro: ({ count, sums, lines }) =>
      `${count === 1 ? 'Un rând este totalul altor rânduri' : countRomanian(count, 'rând', 'rânduri sunt totaluri ale altor rânduri')} (${sums === 0 ? 'după denumire' : `${formatNumber('ro', sums)} ${sums === 1 ? 'este suma' : 'sunt sumele'} unui grup de rânduri`}; liniile ${lines}). Cine adună toată coloana numără valorile de două ori.`,
    en: ({ count, sums, lines }) =>
      `${countEnglish(count, 'row is a total of other rows', 'rows are totals of other rows')} (${sums === 0 ? 'by their names' : `${formatNumber('en', sums)} of them the ${sums === 1 ? 'sum' : 'sums'} of a group of rows`}; lines ${lines}). Adding the column up counts everything twice.`,
    shell: 'They are kept as rows; --totals leave_out leaves them out.',
  }),
  row_count: row<{ before: number; now: number }>({
    ro: ({ before, now }) =>
      `Ediția publicată are ${countRomanian(before, 'rând', 'rânduri')}, iar aceasta are ${formatNumber('ro', now)}. Verificați că fișierul este complet.`,
    en: ({ before, now }) =>
      `The published edition has ${countEnglish(before, 'row', 'rows')}, and this one has ${formatNumber('en', now)}. Check that the file is complete.`,
  }),
  no_rows: row({
    ro: 'Fișierul are antet, dar niciun rând.',
    en: 'The file has a header and no rows.',
  }),
  all_quarantined: row<{ rows: number }>({
    ro: 'Niciun rând nu a putut fi citit: toate sunt lăsate deoparte.',
    en: 'No row could be read: all are left out.',
  }),
  /** `percent`: the share of served keys that the file still has. */
  few_keys: row<{ key: string; version: number; percent: number }>({
    ro: ({ key, percent }) =>
      `Numai ${formatNumber('ro', percent)} % dintre rândurile publicate se regăsesc în fișier, după cheie (${key}). Verificați că este același tabel.`,
    en: ({ key, percent }) =>
      `Only ${formatNumber('en', percent)} % of the published rows are found in the file, by their key (${key}). Check that it is the same table.`,
    shell: 'Once it is published, "datasets diff" shows more and "datasets rollback" takes it back.',
  }),
  keys_not_compared: row<{ version: number }>({
    ro: ({ version }) =>
      `Cheile versiunii ${version} nu au putut fi comparate cu cele din fișier: versiunea publicată este deteriorată.`,
    en: ({ version }) =>
      `The keys of version ${version} could not be compared with those of the file: the published version is damaged.`,
    desk: { ro: 'Anunțați administratorul.', en: 'Tell the operator.' },
    shell: '"datasets verify" says what is damaged.',
  }),
  personal_data: row<{ column: string; kind: PersonalColumn['kind']; rows: number }>({
    ro: ({ column, kind, rows }) =>
      `Coloana „${column}” pare să conțină ${PERSONAL[kind].ro} (${countRomanian(rows, 'rând', 'rânduri')}).`,
    en: ({ column, kind, rows }) =>
      `The column “${column}” seems to hold ${PERSONAL[kind].en} (${countEnglish(rows, 'row', 'rows')}).`,
    shell: ({ column }) =>
      `If they may be published, "personal_data": ["${column}"] in a definition or --allow-personal-data ${column} says so.`,
  }),
  /** All columns were allowed without naming them. */
  personal_data_all: row<{ columns: string }>({
    ro: ({ columns }) => `Toate coloanele care par să conțină date personale au fost permise: ${columns}.`,
    en: ({ columns }) => `All columns that seem to hold personal data were allowed: ${columns}.`,
  }),
  /** They were served before the program asked about personal data. */
  personal_data_served: row<{ columns: string }>({
    ro: ({ columns }) =>
      `Coloane care par să conțină date personale rămân publicate, ca până acum: ${columns}. Dacă nu pot fi publice, lăsați-le deoparte.`,
    en: ({ columns }) =>
      `Columns that seem to hold personal data stay published, as before: ${columns}. Leave them out if they may not be public.`,
  }),
  /** What is served already would be refused today. */
  would_be_refused: row<{ kind: keyof typeof GATE_REFUSALS }>({
    ro: ({ kind }) => `Fișierul este publicat, dar astăzi ar fi respins. ${GATE_REFUSALS[kind].ro}`,
    en: ({ kind }) => `The file is published, but it would be refused today. ${GATE_REFUSALS[kind].en}`,
  }),
  secret_not_kept: row<{ host: string }>({
    ro: ({ host }) =>
      `Parola din adresa de la ${host} nu se păstrează, deci fișierul nu va putea fi preluat din nou automat.`,
    en: ({ host }) =>
      `The password in the address at ${host} is not kept, so the file cannot be fetched again by itself.`,
  }),
  not_encrypted: row<{ address: string }>({
    ro: ({ address }) =>
      `${address} s-a preluat fără criptare: oricine de pe traseu ar fi putut schimba fișierul.`,
    en: ({ address }) =>
      `${address} was fetched without encryption: anybody on the way could have changed it.`,
  }),
}
