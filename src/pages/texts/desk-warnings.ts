import type { WarningCode, WarningValues } from '../../read/report/warnings.ts'
import { POINT_TEXTS } from './desk-points.ts'
import { REASON_TEXTS } from './desk-reasons.ts'
import { countEnglish, countRomanian, formatNumber, type TextTable } from './texts.ts'

type Say<C extends WarningCode> = (values: WarningValues[C]) => string

/** Warnings of a report by code: its facts, with the controls of the page. */
export const WARNING_TEXTS: TextTable<{ readonly [C in WarningCode]: Say<C> }> = {
  ro: {
    encoding_other: ({ encoding, word, other, other_encoding }) =>
      `Literele s-au citit ca ${encoding}, dar nimic nu o dovedește: „${word}” ar fi „${other}” în ${other_encoding}. Dacă al doilea cuvânt este cel corect, alegeți ${other_encoding} la „Codificarea literelor”.`,
    encoding_words: ({ encoding, word }) =>
      `Literele s-au citit ca ${encoding}, dar cuvinte precum „${word}” par greșite. Dacă sunt, alegeți alta la „Codificarea literelor”.`,
    encoding_asked: ({ encoding, word, other, other_encoding }) =>
      `Fișierul se citește ca ${encoding}, cum ați ales, dar poate fi și ${other_encoding}: „${word}” ar fi „${other}”.`,
    header_bytes: ({ encoding, names }) =>
      `Antetul are semne care nu există în ${encoding}: ${names}. Alegeți altă codificare a literelor sau scrieți dumneavoastră numele coloanelor.`,
    date_order: ({ column, example, order }) =>
      `Coloana ${column} are date ca ${example}, citite cu ${order === 'dmy' ? 'ziua' : 'luna'} întâi, dar nimic nu o dovedește. Alegeți ordinea la „Cum se citește fișierul”.`,
    date_order_proven: ({ column, order }) =>
      `Datele din coloana ${column} se citesc cu ${order === 'dmy' ? 'ziua' : 'luna'} întâi, deși ați ales invers: una dintre ele nu se poate citi altfel.`,
    decimal_mark: ({ column, example, value }) =>
      `Coloana ${column} are numere ca ${example}, citite ca ${value}. Dacă este greșit, alegeți celălalt semn zecimal la „Cum se citește fișierul”.`,
    decimal_mark_rare: ({ column, example, value, proof }) =>
      `Coloana ${column} are numere ca ${example}, citite ca ${value} din cauza unor valori puține sau de alt fel, ca ${proof}: semnul din ${example} poate despărți miile. Verificați și alegeți semnul zecimal la „Cum se citește fișierul”, ori tipul text pentru coloană.`,
    columns_exchanged: ({ columns, line }) =>
      `De la linia ${line} încolo, valorile coloanelor ${columns} își schimbă locul între ele: a doua parte a fișierului pare să aibă coloanele în altă ordine. Aduceți-le în ordinea din antet, apoi încărcați din nou fișierul.`,
    formulas: ({ sheet, count }) =>
      `În foaia „${sheet}” sunt formule fără rezultat (${count}), citite ca celule goale. Deschideți fișierul în programul de calcul tabelar și salvați-l, apoi încărcați-l din nou.`,
    unnamed_header: ({ line }) =>
      `Antetul de pe linia ${line} nu numește nicio coloană. Bifați rândul care le numește sau dați-le nume dumneavoastră.`,
    repeated_names: ({ count }) =>
      `În unele obiecte JSON același nume apare de mai multe ori (${countRomanian(count, 'valoare', 'valori')}); s-a păstrat ultima valoare.`,
    double_quotes: ({ column, count }) =>
      `Coloana ${column} păstrează ghilimelele din jurul unor valori (${count}), fiindcă fișierul pare să folosească apostrofuri. Alegeți ghilimelele la „Cum se citește fișierul”.`,
    hidden: ({ rows, columns }) =>
      [
        rows > 0 &&
          `Foaia ascunde ${countRomanian(rows, 'rând, care nu se publică', 'rânduri, care nu se publică')}.`,
        columns !== '' && `Coloane ascunse, lăsate deoparte: ${columns}.`,
      ]
        .filter(Boolean)
        .join(' '),
    ignored_option: ({ option, format }) =>
      `${option === 'encoding' ? 'Codificarea literelor' : 'Separatorul celulelor'} nu contează la un fișier ${format.toUpperCase()}: alegerea a fost lăsată deoparte.`,
    subtotals: ({ count, sums, lines }) =>
      `${countRomanian(count, 'rând este total al altor rânduri', 'rânduri sunt totaluri ale altor rânduri')} (${sums === 0 ? 'după denumire' : `${formatNumber('ro', sums)} ${sums === 1 ? 'este suma' : 'sunt sumele'} unui grup de rânduri`}; liniile ${lines}). Cine adună coloana le numără de două ori.`,
    row_count: ({ before, now }) =>
      `Ediția publicată are ${countRomanian(before, 'rând', 'rânduri')}, iar aceasta are ${formatNumber('ro', now)}. Verificați că fișierul este întreg.`,
    no_rows: () => 'Fișierul are antet, dar niciun rând.',
    all_quarantined: () => 'Niciun rând nu a putut fi citit: toate sunt lăsate deoparte.',
    few_keys: ({ key, percent }) =>
      `Numai ${formatNumber('ro', percent)} % dintre rândurile publicate se regăsesc în fișier, după cheie (${key}). Verificați că este același tabel.`,
    keys_not_compared: ({ version }) =>
      `Cheile versiunii ${version} nu au putut fi comparate cu cele din fișier: versiunea publicată este deteriorată. Anunțați administratorul.`,
    personal_data: ({ column, kind, rows }) =>
      POINT_TEXTS.ro.personalColumn(column, POINT_TEXTS.ro[`personal_${kind}`], rows),
    personal_data_all: ({ columns }) =>
      `Toate coloanele care par date despre persoane au fost permise: ${columns}.`,
    personal_data_served: ({ columns }) =>
      `Coloane care par date despre persoane rămân publicate, ca până acum: ${columns}. Dacă nu pot fi publice, lăsați-le deoparte.`,
    would_be_refused: ({ kind }) =>
      `Fișierul este publicat, dar astăzi ar fi respins. ${REASON_TEXTS.ro[kind]({})}`,
    secret_not_kept: ({ host }) =>
      `Parola din adresa de la ${host} nu se păstrează, deci fișierul nu va putea fi preluat din nou automat.`,
    not_encrypted: ({ address }) =>
      `${address} s-a preluat fără criptare: oricine pe drum l-ar fi putut schimba.`,
  },
  en: {
    encoding_other: ({ encoding, word, other, other_encoding }) =>
      `The letters were read as ${encoding}, but nothing proves it: “${word}” would be “${other}” in ${other_encoding}. If the second word is right, choose ${other_encoding} under “Encoding of letters”.`,
    encoding_words: ({ encoding, word }) =>
      `The letters were read as ${encoding}, but words such as “${word}” look wrong. If they are, choose another one under “Encoding of letters”.`,
    encoding_asked: ({ encoding, word, other, other_encoding }) =>
      `The file is read as ${encoding}, as you chose, but it may also be ${other_encoding}: “${word}” would be “${other}”.`,
    header_bytes: ({ encoding, names }) =>
      `The header has signs that ${encoding} does not have: ${names}. Choose another encoding of letters, or write the names of the columns yourself.`,
    date_order: ({ column, example, order }) =>
      `The column ${column} has dates such as ${example}, read with the ${order === 'dmy' ? 'day' : 'month'} first, but nothing proves it. Choose the order under “How the file is read”.`,
    date_order_proven: ({ column, order }) =>
      `The dates of the column ${column} are read with the ${order === 'dmy' ? 'day' : 'month'} first, although you chose otherwise: one of them can be read in no other way.`,
    decimal_mark: ({ column, example, value }) =>
      `The column ${column} has numbers such as ${example}, read as ${value}. If that is wrong, choose the other decimal mark under “How the file is read”.`,
    decimal_mark_rare: ({ column, example, value, proof }) =>
      `Column ${column} has numbers like ${example}, read as ${value} because of values that are few or of another kind, such as ${proof}: the sign in ${example} may separate thousands. Check, and choose the decimal mark under “How the file is read”, or the type text for the column.`,
    columns_exchanged: ({ columns, line }) =>
      `From line ${line} on, the values of the columns ${columns} change places: the second part of the file seems to have its columns in another order. Bring them into the order of the header, then upload the file again.`,
    formulas: ({ sheet, count }) =>
      `The sheet “${sheet}” has formulas without a result (${count}), read as empty. Open the file in a spreadsheet program and save it, then upload it again.`,
    unnamed_header: ({ line }) =>
      `The header on line ${line} names no column. Tick the row that names them, or name them yourself.`,
    repeated_names: ({ count }) =>
      `In some JSON objects a name comes twice (${countEnglish(count, 'value', 'values')}); the last value was kept.`,
    double_quotes: ({ column, count }) =>
      `The column ${column} keeps the double quotes around some values (${count}), as the file seems to use apostrophes. Choose the quotes under “How the file is read”.`,
    hidden: ({ rows, columns }) =>
      [
        rows > 0 &&
          `The sheet hides ${countEnglish(rows, 'row, which is not published', 'rows, which are not published')}.`,
        columns !== '' && `Hidden columns, left out: ${columns}.`,
      ]
        .filter(Boolean)
        .join(' '),
    ignored_option: ({ option, format }) =>
      `The ${option === 'encoding' ? 'encoding of letters' : 'sign between cells'} means nothing in a file of the format ${format.toUpperCase()}: the choice was left aside.`,
    subtotals: ({ count, sums, lines }) =>
      `${countEnglish(count, 'row is a total of other rows', 'rows are totals of other rows')} (${sums === 0 ? 'by their names' : `${formatNumber('en', sums)} of them the ${sums === 1 ? 'sum' : 'sums'} of a group of rows`}; lines ${lines}). Whoever adds the column up counts everything twice.`,
    row_count: ({ before, now }) =>
      `The published edition has ${countEnglish(before, 'row', 'rows')}, and this one has ${formatNumber('en', now)}. Check that the file is complete.`,
    no_rows: () => 'The file has a header and no rows.',
    all_quarantined: () => 'No row could be read: all are left out.',
    few_keys: ({ key, percent }) =>
      `Only ${formatNumber('en', percent)} % of the published rows are found in the file, by their key (${key}). Check that it is the same table.`,
    keys_not_compared: ({ version }) =>
      `The keys of version ${version} could not be compared with those of the file: the published version is damaged. Tell the operator.`,
    personal_data: ({ column, kind, rows }) =>
      POINT_TEXTS.en.personalColumn(column, POINT_TEXTS.en[`personal_${kind}`], rows),
    personal_data_all: ({ columns }) =>
      `All columns that look like data about people were allowed: ${columns}.`,
    personal_data_served: ({ columns }) =>
      `Columns that look like data about people stay published, as they were: ${columns}. Leave them out if they may not be public.`,
    would_be_refused: ({ kind }) =>
      `The file is published, but it would be refused today. ${REASON_TEXTS.en[kind]({})}`,
    secret_not_kept: ({ host }) =>
      `The password in the address at ${host} is not kept, so the file cannot be fetched again by itself.`,
    not_encrypted: ({ address }) =>
      `${address} was fetched without encryption: anybody on the way could have changed it.`,
  },
}
