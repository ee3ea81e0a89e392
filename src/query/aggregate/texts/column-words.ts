/**
 * Words in column names and titles that tell what numbers mean: a row for each meaning, Romanian words, then English ones,
 * in lower case without diacritics.
 */
const ROWS = {
  /** A place on the map. */
  place: ['lat latitudine latitudinea lon long longitudine longitudinea', 'lat latitude lng longitude'],
  /** A quotient, a mean or a mark: averaging it makes sense, summing does not. */
  rate: [
    `procent procente procentul procentual rata rate pondere ponderea raport media medie mediu medii mediana pret pretul
     preturi tarif tariful curs indice indicele grad gradul densitate densitatea temperatura nota note punctaj scor varsta
     speranta salariu salariul salarii`,
    `percent percentage pct ratio share mean average avg median price fare index density temperature mark score age
     salary wage`,
  ],
  /** What identifies a thing. */
  code: [
    `id cod codul crt curent siruta codp sirsup cui cif cnp caen cor nuts iban telefon fax postal strada casa bloc scara etaj
     apartament matricol pozitia pozitie serie`,
    `id code cn cn8 nuts postal postcode zip phone fax iban street flat floor position sequence serial isbn key`,
  ],
  /** Things that have an identifying number, but also a value. */
  document: [
    'inmatriculare inregistrare contract factura dosar autorizatie licenta act',
    'registration invoice contract licence permit',
  ],
  /** A count of what the other words name; alone, a row number. */
  number: ['nr numar numarul', 'no number'],
  /** The whole of something, or its worth: among several amounts, the most telling one. */
  main: ['total totala totale totalul valoare valoarea', 'total count value'],
  /** What is counted or measured. */
  amount: [
    `valori suma sume cantitate cantitatea buget bugetul credite cost costul costuri cheltuiala cheltuieli plati
     venit venituri incasari impozit taxe populatie populatia locuitori persoane elevi elevii studenti prescolari copii
     femei barbati salariati angajati someri pensionari beneficiari participanti candidati vehicule autovehicule
     suprafata suprafete lungime volum greutate consum consumul productie productia energie capacitate locuri paturi
     cazuri decese nasteri nascuti casatorii divorturi accidente victime cereri gospodarii locuinte cladiri bucati
     pasageri turisti sosiri innoptari lei ron euro usd mp mc ha kg tone mwh kwh`,
    `amount quantity sum budget cost costs spending expenditure payments revenue income tax population
     inhabitants persons people pupils students women men employees vehicles area surface length volume weight mass
     consumption production energy capacity seats beds cases deaths births marriages accidents victims households
     dwellings buildings passengers arrivals nights euros`,
  ],
  year: ['an anul anului perioada', 'year yr period'],
  inYear: ['luna lunii trimestru trimestrul', 'month quarter'],
  /** A position in time, or a level of a ranking. */
  order: [
    'luna ziua zi ora trimestru trimestrul saptamana niv nivel nivelul rang sortare fsj regiune jud judet judetul tip tipul',
    'month day hour quarter week level rank region county type',
  ],
} as const satisfies Record<string, readonly [romanian: string, english: string]>

export type Meaning = keyof typeof ROWS

export const COLUMN_WORDS = Object.fromEntries(
  Object.entries(ROWS).map(([meaning, lists]) => [meaning, new Set(lists.join(' ').split(/\s+/))]),
) as unknown as Readonly<Record<Meaning, ReadonlySet<string>>>
