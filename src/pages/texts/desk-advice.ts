import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** What to check before publishing: `/publish/drafts/{id}`. */
export const ADVICE_TEXTS = textTable({
  title: ['De verificat', 'To check'],
  doubt: [
    (share: string) =>
      `Modul de citire este sigur doar în proporție de ${share}: comparați tabelul cu fișierul.`,
    (share: string) => `The way the file is read is only ${share} sure: compare the table with the file.`,
  ],
  seeReading: ['Cum se citește fișierul', 'How the file is read'],
  sheets: [
    (count: number, name: string) =>
      `Registrul are ${countRomanian(count, 'foaie', 'foi')}; se publică „${name}”.`,
    (count: number, name: string) => `The workbook has ${count} sheets; “${name}” is published.`,
  ],
  chooseSheet: ['Alegeți altă foaie', 'Choose another sheet'],
  totals: [
    'Tabelul are un rând de totaluri, care se publică la fel ca celelalte: cine adună rândurile le numără de două ori.',
    'The table has a row of totals, which is published like the others: whoever adds up rows counts them twice.',
  ],
  leaveTotals: ['Lasă deoparte totalurile', 'Leave out the totals'],
  readHidden: ['Publică și ce este ascuns', 'Publish what is hidden, too'],
  leaveHidden: ['Rămâne deoparte', 'Leave it out'],
  nulls: [
    (columns: number) =>
      `${countRomanian(columns, 'coloană este', 'coloane sunt')} text din cauza câtorva celule, cum ar fi „-”.`,
    (columns: number) =>
      `${countEnglish(columns, 'column is', 'columns are')} text because of a few cells, such as “-”.`,
  ],
  seeNulls: ['Vedeți celulele', 'See the cells'],
  quarantined: [
    (rows: number) => `${countRomanian(rows, 'rând nu se publică', 'rânduri nu se publică')}.`,
    (rows: number) => `${countEnglish(rows, 'row is', 'rows are')} not published.`,
  ],
  seeRows: ['Vedeți ce rămâne deoparte', 'See what is left out'],
})
