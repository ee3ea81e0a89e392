import { textTable } from './texts.ts'

/** The values in a warning. */
type Found = Readonly<Record<string, string>>

/** Warnings of a report: the same facts with the controls of the page instead of options of the command line. */
export const WARNING_TEXTS = textTable({
  encodingOther: [
    ({ encoding, word, other, another }: Found) =>
      `Literele s-au citit ca ${encoding}, dar nimic nu o dovedește: „${word}” ar fi „${other}” în ${another}. Dacă al doilea cuvânt este cel corect, alegeți ${another} la „Codificarea literelor”.`,
    ({ encoding, word, other, another }: Found) =>
      `The letters were read as ${encoding}, but nothing proves it: “${word}” would be “${other}” in ${another}. If the second word is right, choose ${another} under “Encoding of letters”.`,
  ],
  encodingWords: [
    ({ encoding, word }: Found) =>
      `Literele s-au citit ca ${encoding}, dar cuvinte precum „${word}” par greșite. Dacă sunt, alegeți alta la „Codificarea literelor”.`,
    ({ encoding, word }: Found) =>
      `The letters were read as ${encoding}, but words such as “${word}” look wrong. If they are, choose another one under “Encoding of letters”.`,
  ],
  encodingAsked: [
    ({ encoding, word, other, another }: Found) =>
      `Fișierul se citește ca ${encoding}, cum ați ales, dar poate fi și ${another}: „${word}” ar fi „${other}”.`,
    ({ encoding, word, other, another }: Found) =>
      `The file is read as ${encoding}, as you chose, but it may also be ${another}: “${word}” would be “${other}”.`,
  ],
  brokenHeader: [
    ({ encoding, names }: Found) =>
      `Antetul are semne care nu există în ${encoding}: ${names}. Alegeți altă codificare a literelor sau scrieți dumneavoastră numele coloanelor.`,
    ({ encoding, names }: Found) =>
      `The header has signs that ${encoding} does not have: ${names}. Choose another encoding of letters, or write the names of the columns yourself.`,
  ],
  dateOrder: [
    ({ column, example, first }: Found) =>
      `Coloana ${column} are date ca ${example}, citite cu ${first === 'day' ? 'ziua' : 'luna'} întâi, dar nimic nu o dovedește. Alegeți ordinea la „Cum se citește fișierul”.`,
    ({ column, example, first }: Found) =>
      `The column ${column} has dates such as ${example}, read with the ${first} first, but nothing proves it. Choose the order under “How the file is read”.`,
  ],
  decimalMark: [
    ({ column, example, value }: Found) =>
      `Coloana ${column} are numere ca ${example}, citite ca ${value}. Dacă este greșit, alegeți celălalt semn zecimal la „Cum se citește fișierul”.`,
    ({ column, example, value }: Found) =>
      `The column ${column} has numbers such as ${example}, read as ${value}. If that is wrong, choose the other decimal mark under “How the file is read”.`,
  ],
  formulas: [
    ({ sheet, count }: Found) =>
      `În foaia „${sheet}” sunt formule fără rezultat (${count}), citite ca celule goale. Deschideți fișierul în programul de calcul tabelar și salvați-l, apoi încărcați-l din nou.`,
    ({ sheet, count }: Found) =>
      `The sheet “${sheet}” has formulas without a result (${count}), read as empty. Open the file in a spreadsheet program and save it, then upload it again.`,
  ],
  unnamedHeader: [
    ({ line }: Found) =>
      `Antetul de pe linia ${line} nu numește nicio coloană. Bifați rândul care le numește sau dați-le nume dumneavoastră.`,
    ({ line }: Found) =>
      `The header on line ${line} names no column. Tick the row that names them, or name them yourself.`,
  ],
  repeatedNames: [
    ({ count }: Found) =>
      `${count} valori au un nume care se repetă în același obiect JSON; s-a păstrat ultima.`,
    ({ count }: Found) =>
      `${count} values have a name that comes again in the same JSON object; the last one was kept.`,
  ],
  quotes: [
    ({ column, count }: Found) =>
      `Coloana ${column} păstrează ghilimelele din jurul a ${count} valori, fiindcă fișierul pare să folosească apostrofuri. Alegeți ghilimelele la „Cum se citește fișierul”.`,
    ({ column, count }: Found) =>
      `The column ${column} keeps the double quotes around ${count} of its values, as the file seems to use apostrophes. Choose the quotes under “How the file is read”.`,
  ],
  rowCount: [
    ({ before, now }: Found) => `Ediția publicată are ${before} de rânduri, iar aceasta are ${now}.`,
    ({ before, now }: Found) => `The published edition has ${before} rows, and this one has ${now}.`,
  ],
  noRows: [() => 'Fișierul are antet, dar niciun rând.', () => 'The file has a header and no rows.'],
  allLeftOut: [
    () => 'Niciun rând nu a putut fi citit: toate sunt lăsate deoparte.',
    () => 'No row could be read: all are left out.',
  ],
  password: [
    ({ host }: Found) =>
      `Parola din adresa de la ${host} nu se păstrează, deci fișierul nu va putea fi preluat din nou automat.`,
    ({ host }: Found) =>
      `The password in the address of ${host} is not kept, so the file cannot be fetched again by itself.`,
  ],
  notEncrypted: [
    ({ address }: Found) => `${address} s-a preluat fără criptare: oricine pe drum l-ar fi putut schimba.`,
    ({ address }: Found) =>
      `${address} was fetched without encryption: anybody on the way could have changed it.`,
  ],
})
