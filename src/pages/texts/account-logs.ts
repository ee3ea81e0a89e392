import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** The request log: `/account/logs`. */
export const LOGS_TEXTS = textTable({
  description: [
    'Fiecare cerere făcută cu cheile contului, cele mai noi întâi.',
    'Every request made with your keys, newest first.',
  ],
  filters: ['Filtre', 'Filters'],
  key: ['Cheia', 'Key'],
  method: ['Metoda', 'Method'],
  any: ['toate', 'all'],
  statusClass: ['Starea', 'Status'],
  status2: ['2xx reușite', '2xx successful'],
  status3: ['3xx neschimbate', '3xx unchanged'],
  status4: ['4xx refuzate', '4xx refused'],
  status5: ['5xx eșuate', '5xx failed'],
  path: ['Adresa conține', 'Path contains'],
  since: ['De la', 'From'],
  until: ['Până la', 'Until'],
  limit: ['Pe pagină', 'Per page'],
  apply: ['Filtrează', 'Filter'],
  clear: ['Elimină filtrele', 'Clear filters'],
  results: ['Cererile găsite', 'Requests found'],
  range: [
    (from: string, to: string, total: number) =>
      `${from}–${to} din ${countRomanian(total, 'cerere', 'cereri')}`,
    (from: string, to: string, total: number) =>
      `${from}–${to} of ${countEnglish(total, 'request', 'requests')}`,
  ],
  nothing: ['Nicio cerere nu corespunde filtrelor.', 'No requests match.'],
  nothingYet: [
    'Aici apar cererile făcute cu cheile dumneavoastră, la câteva clipe după răspuns.',
    'Requests made with your keys appear here a moment after they are answered.',
  ],
  newer: ['Mai noi', 'Newer'],
  older: ['Mai vechi', 'Older'],
  pages: ['Paginile jurnalului', 'Pages of the log'],
  at: ['Când', 'When'],
  status: ['Stare', 'Status'],
  request: ['Cererea', 'Request'],
  latency: ['Timp', 'Time'],
  size: ['Octeți', 'Bytes'],
  ip: ['Adresa IP', 'IP address'],
  query: ['Parametri', 'Parameters'],
  userAgent: ['Program', 'Program'],
  requestId: ['Numărul cererii', 'Request id'],
  keyNumber: [(id: number) => `cheia ${id}`, (id: number) => `key ${id}`],
})
