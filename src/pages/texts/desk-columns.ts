import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** Columns of a file on its way to being published: `/publish/drafts/{id}`. */
export const COLUMN_DESK_TEXTS = textTable({
  title: ['Coloane', 'Columns'],
  titleOf: [
    (count: number) => `Titluri, unități și descrieri pentru ${countRomanian(count, 'coloană', 'coloane')}`,
    (count: number) => `Titles, units and descriptions of ${countEnglish(count, 'column', 'columns')}`,
  ],
  name: ['Nume', 'Name'],
  nameHint: [
    'Litere mici fără diacritice, cifre și _. Programele folosesc acest nume.',
    'Small letters, digits and _. Programs use this name.',
  ],
  wrongName: [
    'Numele are 1–64 de litere mici fără diacritice, cifre sau _.',
    'A name has 1 to 64 small letters, digits or _.',
  ],
  takenName: ['Altă coloană are deja acest nume.', 'Another column already has this name.'],
  type: ['Tip', 'Type'],
  examples: ['Exemple', 'Examples'],
  missing: ['Fără valoare', 'No value'],
  actions: ['Acțiuni', 'Actions'],
  type_string: ['text', 'text'],
  type_integer: ['număr întreg', 'whole number'],
  type_decimal: ['număr', 'number'],
  type_boolean: ['da/nu', 'yes/no'],
  type_date: ['dată', 'date'],
  type_datetime: ['dată și oră', 'date and time'],
  identifiers: ['coduri, nu numere', 'codes, not numbers'],
  inferred: [(type: string) => `automat: ${type}`, (type: string) => `automatic: ${type}`],
  infer: ['automat', 'automatic'],
  edit: ['Modifică', 'Edit'],
  editOf: [(name: string) => `Modifică coloana ${name}`, (name: string) => `Edit the column ${name}`],
  drop: ['Lasă deoparte', 'Leave out'],
  dropOf: [
    (name: string) => `Lasă deoparte coloana ${name}`,
    (name: string) => `Leave out the column ${name}`,
  ],
  leftOut: ['Coloane lăsate deoparte', 'Columns that are left out'],
  unnamed: ['(fără nume)', '(no name)'],
  restore: ['Pune la loc', 'Put back'],
  restoreOf: [
    (header: string) => `Pune la loc coloana ${header}`,
    (header: string) => `Put back the column ${header}`,
  ],
  dialogTitle: [(name: string) => `Coloana ${name}`, (name: string) => `The column ${name}`],
  inFile: [
    (header: string) => `În fișier se numește „${header}”.`,
    (header: string) => `In the file it is called “${header}”.`,
  ],
  noHeader: ['În fișier nu are nume.', 'It has no name in the file.'],
  columnTitle: ['Titlu', 'Title'],
  columnTitleHint: ['Cum se numește coloana pe înțelesul tuturor.', 'What people call the column.'],
  unit: ['Unitate de măsură', 'Unit'],
  unitHint: ['De exemplu lei, km, persoane.', 'For example lei, km, people.'],
  description: ['Descriere', 'Description'],
  save: ['Salvează', 'Save'],
})
