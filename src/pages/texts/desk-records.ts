import { textTable } from './texts.ts'

/** The records of a file and the table made of them: `/publish/drafts/{id}`. */
export const RECORDS_TEXTS = textTable({
  file: ['Cum arată fișierul', 'What is in the file'],
  fileText: [
    'Primele rânduri, așa cum sunt în fișier. Bifați rândurile care alcătuiesc antetul, adică numele coloanelor.',
    'The first rows as they are in the file. Tick the rows that make up the header, which names the columns.',
  ],
  header: ['Antet', 'Header'],
  role: ['Rol', 'Role'],
  cells: ['Conținut', 'Contents'],
  isHeader: [
    (number: number) => `Rândul ${number} face parte din antet`,
    (number: number) => `Row ${number} is part of the header`,
  ],
  role_title: ['titlu', 'title'],
  role_header: ['antet', 'header'],
  role_units: ['unități', 'units'],
  role_data: ['date', 'data'],
  role_note: ['notă', 'note'],
  role_blank: ['gol', 'blank'],
  noHeader: ['Fișierul nu are antet', 'The file has no header'],
  findHeader: ['Antetul găsit automat', 'Use the header that was found'],
  table: ['Tabelul care se publică', 'The table that is published'],
  tableText: [
    'Primele rânduri. Apăsați pe numele unei coloane ca să-i schimbați numele, tipul sau descrierea.',
    'The first rows. Choose the name of a column to change its name, type or description.',
  ],
  noValue: ['fără valoare', 'no value'],
})
