import { countEnglish, countRomanian, textTable } from './texts.ts'

/** Profile, e-mail, download and deletion: `/account/profile`. */
export const PROFILE_TEXTS = textTable({
  description: [
    'Numele, instituția, limba, adresa de e-mail și datele contului.',
    'Your name, organization, language, e-mail address and account data.',
  ],
  about: ['Despre dumneavoastră', 'About you'],
  language: ['Limba paginilor și a mesajelor', 'Language of pages and e-mails'],
  ro: ['Română', 'Română'],
  en: ['English', 'English'],
  save: ['Salvați', 'Save'],
  saved: ['Profilul a fost salvat.', 'The profile is saved.'],
  email: ['Adresă de e-mail', 'E-mail address'],
  verified: ['confirmată', 'confirmed'],
  unverified: ['neconfirmată', 'not confirmed'],
  unverifiedText: [
    'Adresa nu este încă confirmată. Puteți folosi contul fără restricții, dar confirmarea ne arată că mesajele ajung la dumneavoastră.',
    'This address is not confirmed yet. You can use the account without limits, but confirming it tells us that our e-mails reach you.',
  ],
  unverifiedWithoutMail: [
    'Adresa nu este încă confirmată. Puteți folosi contul fără restricții. Acest serviciu nu trimite mesaje: legătura de confirmare se află în jurnalul lui, la administrator.',
    'This address is not confirmed yet. You can use the account without limits. This service sends no e-mail: the link that confirms the address is in its log, which its operator reads.',
  ],
  resend: ['Cereți din nou legătura', 'Send the link again'],
  resent: [
    'V-am trimis un mesaj cu o legătură. Legătura funcționează 24 de ore.',
    'An e-mail with a link is on its way. The link works for 24 hours.',
  ],
  renew: ['Cereți o legătură nouă', 'Write a new link to the log'],
  renewed: [
    'Legătura nouă este în jurnalul serviciului: cereți-o administratorului. Funcționează 24 de ore.',
    'A new link is in the log of the service: ask its operator for it. It works for 24 hours.',
  ],
  plan: ['Plan', 'Plan'],
  member: ['Cont creat', 'Member since'],
  data: ['Datele dumneavoastră', 'Your data'],
  dataText: [
    'Tot ce se păstrează despre cont, ca fișier JSON: profilul, sesiunile, autentificările, cheile (fără secrete), utilizarea și jurnalul.',
    'Everything stored about the account, as a JSON file: profile, sessions, sign-ins, keys (without secrets), usage and log.',
  ],
  download: ['Descărcați datele', 'Download the data'],
  remove: ['Ștergerea contului', 'Delete the account'],
  removeText: [
    'Cheile încetează imediat să funcționeze, iar utilizarea, jurnalul și datele personale se șterg definitiv.',
    'Keys stop working at once; usage, log and personal data are deleted permanently.',
  ],
  removeButton: ['Ștergeți contul…', 'Delete the account…'],
  removeTitle: ['Ștergeți contul definitiv?', 'Delete the account permanently?'],
  removeDialog: [
    'Cheile, utilizarea, jurnalul și datele personale se șterg și nu pot fi recuperate. Pentru confirmare, scrieți parola.',
    'Keys, usage, log and personal data are deleted and cannot be recovered. Enter your password to confirm.',
  ],
  password: ['Parolă', 'Password'],
  removeConfirm: ['Ștergeți contul definitiv', 'Delete the account permanently'],
})

/** Usage and statistics: `/account/usage`. */
export const USAGE_TEXTS = textTable({
  description: [
    'Apelurile contului față de cotă, pe zile și pe chei, și statistica cererilor.',
    'Your calls against your quota, by day and by key, and request statistics.',
  ],
  quota: ['Cota lunii', 'Quota of the month'],
  month: ['luna aceasta', 'this month'],
  today: ['astăzi (UTC)', 'today (UTC)'],
  left: ['rămase din cotă', 'left of the quota'],
  noLimit: ['fără limită', 'no limit'],
  share: [
    (share: string, plan: string) => `${share} din cota planului ${plan}`,
    (share: string, plan: string) => `${share} of the quota of the ${plan} plan`,
  ],
  unlimited: [
    (plan: string) => `Planul ${plan} nu are cotă.`,
    (plan: string) => `The ${plan} plan has no quota.`,
  ],
  elsewhere: [
    'Totalul poate depăși suma pe chei: apelurile cheilor șterse se socotesc în continuare.',
    'The total may exceed the sum of the keys: calls made with deleted keys still count.',
  ],
  daily: ['Apeluri pe zile', 'Calls by day'],
  period: ['Perioadă', 'Period'],
  days: [
    (count: number) => `ultimele ${countRomanian(count, 'zi', 'zile')}`,
    (count: number) => `last ${countEnglish(count, 'day', 'days')}`,
  ],
  dayToday: ['astăzi', 'today'],
  key: ['Cheie', 'Key'],
  allKeys: ['toate cheile', 'all keys'],
  chart: [
    (what: string, from: string, to: string, total: string) =>
      `Apeluri pe zile, ${what}, de la ${from} la ${to}: ${total} în total`,
    (what: string, from: string, to: string, total: string) =>
      `Calls by day, ${what}, from ${from} to ${to}: ${total} in all`,
  ],
  totalOf: [
    (count: number) => `${countRomanian(count, 'apel', 'apeluri')} în perioada aleasă; zilele sunt în UTC.`,
    (count: number) => `${countEnglish(count, 'call', 'calls')} in this period; days are UTC.`,
  ],
  asTable: ['Aceleași cifre, în tabel', 'The same figures as a table'],
  date: ['Zi', 'Day'],
  requests: ['Cereri', 'Requests'],
  statistics: ['Statistica cererilor', 'Request statistics'],
  statisticsLead: [
    'Din jurnal: toate răspunsurile, inclusiv cele care nu se socotesc ca apeluri (304, erori), cu timpul măsurat pe server.',
    'From the log: every response, including those that do not count as calls (304, errors), with the time measured on the server.',
  ],
  nothing: ['Nicio cerere în perioada aleasă.', 'No requests in this period.'],
  latency: ['Timp de răspuns', 'Response time'],
  p50: ['50 % sub', '50 % below'],
  p95: ['95 % sub', '95 % below'],
  p99: ['99 % sub', '99 % below'],
  max: ['cel mai lung', 'longest'],
  statuses: ['După starea HTTP', 'By HTTP status'],
  status: ['Stare', 'Status'],
  endpoints: ['După adresă', 'By address'],
  endpoint: ['Adresă', 'Address'],
  errors: ['Erori', 'Errors'],
  ips: ['După adresa IP', 'By IP address'],
  ip: ['Adresă IP', 'IP address'],
})

/** The request log: `/account/logs`. */
export const LOGS_TEXTS = textTable({
  description: [
    'Cererile făcute cu cheile contului, cele mai noi întâi.',
    'Every request made with your keys, newest first.',
  ],
  filters: ['Filtre', 'Filters'],
  key: ['Cheie', 'Key'],
  method: ['Metodă', 'Method'],
  any: ['toate', 'all'],
  statusClass: ['Stare', 'Status'],
  status2: ['2xx reușite', '2xx successful'],
  status3: ['3xx neschimbate', '3xx unchanged'],
  status4: ['4xx refuzate', '4xx refused'],
  status5: ['5xx eșuate', '5xx failed'],
  path: ['Adresa conține', 'Path contains'],
  since: ['De la', 'From'],
  until: ['Până la', 'Until'],
  limit: ['Pe pagină', 'Per page'],
  apply: ['Filtrați', 'Filter'],
  clear: ['Renunțați la filtre', 'Clear filters'],
  results: ['Cererile găsite', 'Requests found'],
  range: [
    (from: string, to: string, total: number) =>
      `${from}–${to} din ${countRomanian(total, 'cerere', 'cereri')}`,
    (from: string, to: string, total: number) =>
      `${from}–${to} of ${countEnglish(total, 'request', 'requests')}`,
  ],
  nothing: ['Nicio cerere nu corespunde filtrelor.', 'No requests match the filters.'],
  nothingYet: [
    'Aici apar cererile făcute cu cheile dumneavoastră, la câteva clipe după răspuns.',
    'Requests made with your keys appear here a moment after they are answered.',
  ],
  newer: ['Mai noi', 'Newer'],
  older: ['Mai vechi', 'Older'],
  pages: ['Paginile jurnalului', 'Pages of the log'],
  at: ['Când', 'When'],
  status: ['Stare', 'Status'],
  request: ['Cerere', 'Request'],
  latency: ['Timp', 'Time'],
  size: ['Octeți', 'Bytes'],
  ip: ['Adresă IP', 'IP address'],
  query: ['Parametri', 'Parameters'],
  userAgent: ['Program', 'Program'],
  requestId: ['Numărul cererii', 'Request id'],
  keyNumber: [(id: number) => `cheia ${id}`, (id: number) => `key ${id}`],
})
