import { textTable } from './texts.ts'

/** Versions of a dataset and their differences: `/publish/datasets/{id}`. */
export const VERSION_TEXTS = textTable({
  title: ['Versiuni', 'Versions'],
  text: [
    'Fiecare publicare face o versiune nouă. Oricare dintre cele păstrate se poate servi din nou.',
    'Each publication makes a new version. Any of those that are kept can be served again.',
  ],
  version: ['Versiunea', 'Version'],
  numbered: [(version: number) => `versiunea ${version}`, (version: number) => `version ${version}`],
  published: ['Publicată', 'Published'],
  file: ['Fișier', 'File'],
  rows: ['Rânduri', 'Rows'],
  leftOut: ['Lăsate deoparte', 'Left out'],
  state: ['Stare', 'State'],
  served: ['publicată acum', 'served now'],
  serve: ['Servește', 'Serve'],
  serveOf: [
    (version: number) => `Servește versiunea ${version}`,
    (version: number) => `Serve version ${version}`,
  ],
  serveTitle: [
    (version: number) => `Serviți versiunea ${version}?`,
    (version: number) => `Serve version ${version}?`,
  ],
  serveText: [
    'De acum toți vor citi această versiune. Celelalte se păstrează.',
    'Everyone reads this version from now on. The others are kept.',
  ],
  isServed: [
    (version: number) => `Se servește versiunea ${version}.`,
    (version: number) => `Version ${version} is served.`,
  ],
  compare: ['Ce s-a schimbat', 'What changed'],
  from: ['De la', 'From'],
  to: ['La', 'To'],
  showDifference: ['Arată diferența', 'Show the difference'],
  between: [
    (from: number, to: number) => `De la versiunea ${from} la versiunea ${to}.`,
    (from: number, to: number) => `From version ${from} to version ${to}.`,
  ],
  sameSource: ['Amândouă sunt făcute din același fișier.', 'Both are made from the same file.'],
  about: ['Estimare: ', 'Estimated: '],
  rowsMoved: [
    (from: string, to: string) => `Rânduri: ${from} → ${to}`,
    (from: string, to: string) => `Rows: ${from} → ${to}`,
  ],
  overlap: [
    (kept: string, gone: string, fresh: string) =>
      `rânduri neschimbate: ${kept}; dispărute: ${gone}; noi: ${fresh}`,
    (kept: string, gone: string, fresh: string) => `rows unchanged: ${kept}; gone: ${gone}; new: ${fresh}`,
  ],
  keys: [
    (key: string, gone: string, fresh: string) => `după cheie (${key}): dispărute ${gone}, noi ${fresh}`,
    (key: string, gone: string, fresh: string) => `by key (${key}): ${gone} gone, ${fresh} new`,
  ],
  sameColumns: ['Coloanele sunt aceleași.', 'The columns are the same.'],
  added: [(name: string) => `Coloană nouă: ${name}`, (name: string) => `New column: ${name}`],
  removed: [(name: string) => `Coloană dispărută: ${name}`, (name: string) => `Column gone: ${name}`],
  retyped: [
    (name: string, from: string, to: string) => `Tipul coloanei ${name}: ${from} → ${to}`,
    (name: string, from: string, to: string) => `Type of the column ${name}: ${from} → ${to}`,
  ],
  values: ['Coloane ale căror valori s-au schimbat mult', 'Columns whose values changed much'],
  column: ['Coloana', 'Column'],
  missing: ['Fără valoare', 'No value'],
  distinct: ['Valori diferite', 'Different values'],
})
