/** Refusals of readings that nothing proves, and of decisions that do not fit the file. */

import type { Language } from '../../../base/text/language.ts'
import { countRomanian } from '../../../base/text/numbers.ts'
import { quoteArgument } from '../../../base/text/quoting.ts'
import { row } from './row.ts'

const SIGNS: Readonly<Record<Language, readonly [tab: string, space: string]>> = {
  ro: ['tabulator', 'spațiu'],
  en: ['tab', 'space'],
}

function nameSign(language: Language, sign: string): string {
  const [tab, space] = SIGNS[language]
  return sign === '\t' || sign === 'tab' ? tab : sign === ' ' ? space : sign
}

const CHOOSE_SIGN = {
  ro: 'Alegeți semnul la „Separatorul celulelor”.',
  en: 'Choose the sign under “Cell separator”.',
}

/** Readings that nothing proves. */
export const DOUBT_REFUSALS = {
  weak_delimiter: row<{ sign: string }>({
    ro: ({ sign }) => `Nu este sigur că „${nameSign('ro', sign)}” desparte celulele.`,
    en: ({ sign }) => `It is not certain that “${nameSign('en', sign)}” separates the cells.`,
    desk: CHOOSE_SIGN,
    override: '--delimiter',
  }),
  two_delimiters: row({
    ro: 'Două semne despart celulele la fel de bine.',
    en: 'Two signs separate the cells equally well.',
    desk: {
      ro: 'Alegeți unul la „Separatorul celulelor”.',
      en: 'Choose one under “Cell separator”.',
    },
    override: '--delimiter',
  }),
  fixed_width: row({
    ro: 'Coloanele par despărțite prin spații, ca într-un raport tipărit. Salvați tabelul ca XLSX sau CSV.',
    en: 'The columns seem to be separated by spaces, as in a printed report. Save the table as XLSX or CSV.',
    desk: {
      ro: 'Altfel, alegeți semnul la „Separatorul celulelor”.',
      en: 'Otherwise choose the sign under “Cell separator”.',
    },
    override: '--delimiter',
  }),
  title_or_name: row<{ record: number; sign: string }>({
    ro: ({ sign }) =>
      `Deasupra antetului pare să fie un titlu, dar el poate fi și numele unei singure coloane, cu „${nameSign('ro', sign)}” în texte.`,
    en: ({ sign }) =>
      `There seems to be a title above the header, but it may also be the name of a single column, with “${nameSign('en', sign)}” in its texts.`,
    desk: {
      ro: ({ record }) =>
        `Bifați rândul ${record} dacă acela este antetul; altfel, alegeți alt semn la „Separatorul celulelor”.`,
      en: ({ record }) =>
        `Tick row ${record} if that is the header; otherwise choose another “Cell separator”.`,
    },
    override: ({ record, sign }) =>
      `--header-row ${record} when it is a title, or --delimiter ${sign === ',' ? "';'" : ','} when it is the name of one column`,
  }),
  /** A single column, whose lines look delimited. */
  other_delimiter: row<{ sign: string }>({
    ro: ({ sign }) =>
      `Tabelul ar avea o singură coloană, dar liniile par despărțite prin „${nameSign('ro', sign)}”.`,
    en: ({ sign }) =>
      `The table would have a single column, but its lines seem to be separated by “${nameSign('en', sign)}”.`,
    desk: CHOOSE_SIGN,
    override: ({ sign }) => `--delimiter ${quoteArgument(sign)}`,
  }),
  other_layout: row({
    ro: 'Tabelul ar avea o singură coloană, dar liniile par să aibă mai multe. Salvați tabelul ca XLSX sau CSV.',
    en: 'The table would have a single column, but its lines seem to have several. Save the table as XLSX or CSV.',
    desk: {
      ro: 'Altfel, alegeți semnul la „Separatorul celulelor”.',
      en: 'Otherwise choose the sign under “Cell separator”.',
    },
    override: '--delimiter ,',
  }),
  /** A sheet with text in one column only, each a line with several columns. */
  sheet_of_lines: row<{ record: number }>({
    ro: 'Foaia are o singură coloană, iar celulele ei par rânduri de raport tipărit, cu mai multe coloane în fiecare. Cereți tabelul din care s-a făcut raportul.',
    en: 'The sheet has a single column, and its cells look like lines of a printed report, with several columns in each. Ask for the table that the report was made of.',
    desk: {
      ro: ({ record }) => `Altfel, bifați rândul ${record} dacă fiecare celulă este un singur text.`,
      en: ({ record }) => `Otherwise tick row ${record} if each cell is one text.`,
    },
    override: ({ record }) => `--header-row ${record} when each cell is one text`,
  }),
  header_like_data: row<{ record: number }>({
    ro: ({ record }) => `Rândul ${record} ar fi antetul, dar arată ca un rând de date.`,
    en: ({ record }) => `Row ${record} would be the header, but it looks like a row of data.`,
    desk: {
      ro: 'Bifați-l dacă este antetul sau apăsați „Fișierul nu are antet”.',
      en: 'Tick it if it is the header, or press “The file has no header”.',
    },
    override: ({ record }) =>
      `--header-row 0 when the file has no header, or --header-row ${record} when it is one`,
  }),
  texts_below_header: row<{ record: number; count: number }>({
    ro: ({ record, count }) =>
      `Rândul ${record} ar fi antetul, dar sub el ${count === 1 ? 'este un rând' : `sunt ${countRomanian(count, 'rând', 'rânduri')}`} cu texte acolo unde celelalte au numere.`,
    en: ({ record, count }) =>
      `Row ${record} would be the header, but below it ${count === 1 ? 'is a row' : `are ${count} rows`} with texts where the others have numbers.`,
    desk: {
      ro: 'Bifați rândul sau rândurile cu numele coloanelor.',
      en: 'Tick the row or rows with the names of the columns.',
    },
    override: '--header-row',
  }),
}

/** Decisions that do not fit the file. */
export const DECISION_REFUSALS = {
  unknown_sheet: row<{ sheet: string }>({
    kind: 'usage',
    ro: ({ sheet }) => `Foaia „${sheet}” nu este în fișier.`,
    en: ({ sheet }) => `The sheet “${sheet}” is not in the file.`,
    desk: {
      ro: 'Alegeți alta la „Cum se citește fișierul”.',
      en: 'Choose another one under “How the file is read”.',
    },
  }),
  no_sheets: row<{ sheet: string }>({
    kind: 'usage',
    ro: ({ sheet }) => `Fișierul nu are foi, deci nici foaia „${sheet}”.`,
    en: ({ sheet }) => `The file has no sheets, and so no sheet “${sheet}”.`,
    desk: { ro: 'Alegeți „automat” la „Foaia”.', en: 'Choose “automatic” under “Sheet”.' },
  }),
  unknown_encoding: row<{ encoding: string }>({
    kind: 'usage',
    ro: ({ encoding }) => `Codificarea „${encoding}” nu este cunoscută.`,
    en: ({ encoding }) => `The encoding “${encoding}” is not known.`,
    desk: {
      ro: 'Alegeți alta la „Codificarea caracterelor”.',
      en: 'Choose another one under “Character encoding”.',
    },
    shell: 'Usual ones are utf-8, windows-1250, iso-8859-2, iso-8859-16, windows-1252 and utf-16le.',
  }),
  same_signs: row<{ sign: string }>({
    kind: 'usage',
    ro: ({ sign }) =>
      `„${nameSign('ro', sign)}” nu poate despărți celulele și fi totodată semnul din jurul textelor. Schimbați una dintre alegeri.`,
    en: ({ sign }) =>
      `“${nameSign('en', sign)}” cannot both separate cells and quote texts. Change one of the two choices.`,
  }),
  unknown_column: row<{ column: string }>({
    kind: 'usage',
    ro: ({ column }) => `Coloana „${column}”, de care depinde o alegere, nu este în tabel.`,
    en: ({ column }) => `The column “${column}”, on which a choice depends, is not in the table.`,
    desk: {
      ro: 'Puneți-o la loc sau bifați alt antet.',
      en: 'Put it back, or tick another header.',
    },
  }),
  header_in_objects: row({
    kind: 'usage',
    ro: 'Într-un fișier JSON numele coloanelor sunt în obiecte: nu se poate alege un rând ca antet.',
    en: 'In a JSON file the names of the columns are in the objects: no row can be chosen as the header.',
  }),
  no_columns: row({
    kind: 'usage',
    ro: 'Toate coloanele sunt lăsate deoparte. Puneți la loc cel puțin una.',
    en: 'All columns are left out. Put back at least one.',
    shell: 'With "other_columns": "drop" a definition declares at least one column.',
  }),
  key_of_append: row<{ key: string }>({
    kind: 'usage',
    ro: ({ key }) =>
      `Rândurile se adaugă după cheia publicată (${key || 'niciuna'}), care nu se poate schimba.`,
    en: ({ key }) => `Rows are added by the published key (${key || 'none'}), which cannot be changed.`,
    desk: {
      ro: 'Alegeți ca rândurile să le înlocuiască pe cele publicate.',
      en: 'Let the rows replace the published ones.',
    },
    shell: 'Ingest all rows as one file without --append.',
  }),
}
