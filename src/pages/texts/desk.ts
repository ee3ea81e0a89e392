import { countEnglish, countRomanian, textTable } from './texts.ts'

/** The frame of the publishing desk and its first page: `/publish`. */
export const DESK_TEXTS = textTable({
  publish: ['Publicare', 'Publish'],
  guide: ['Cum se publică', 'How to publish'],
  draft: ['Fișier de publicat', 'File to publish'],
  dataset: ['Set de date', 'Dataset'],
  description: [
    'Publicați fișiere ca seturi de date și administrați seturile publicate.',
    'Publish files as datasets, and look after those that are published.',
  ],
  needsScript: [
    'Pagina de publicare are nevoie de JavaScript, care este dezactivat în acest browser.',
    'The publishing pages need JavaScript, which is turned off in this browser.',
  ],
  noRole: ['Contul acesta nu poate publica', 'This account cannot publish'],
  noRoleText: [
    (email: string) => `Contul ${email} poate citi date, dar nu le poate publica.`,
    (email: string) => `You are signed in as ${email}, an account that may read data but not publish it.`,
  ],
  askOperator: [
    'Cereți administratorului serviciului dreptul de a publica.',
    'Ask the operator of this service for the right to publish.',
  ],
  operatorRuns: [
    'Administratorul acordă acest drept cu comanda:',
    'The operator grants it with the command:',
  ],
  askOperatorOf: [
    (publisher: string) =>
      `Cereți dreptul de a publica de la ${publisher}, care administrează acest serviciu.`,
    (publisher: string) => `Ask ${publisher}, which runs this service, for the right to publish.`,
  ],
  datasets: ['Seturi de date', 'Datasets'],
  noDatasets: [
    'În domeniile dumneavoastră nu s-a publicat încă nimic. Alegeți mai sus primul fișier.',
    'Nothing is published in your domains yet. Choose the first file above.',
  ],
  rowCount: ['Rânduri', 'Rows'],
  lastEdition: ['Ultima ediție', 'Last edition'],
  nextRefresh: ['Următoarea actualizare', 'Next refresh'],
  version: [(version: number) => `versiunea ${version}`, (version: number) => `version ${version}`],
  byHand: ['manual', 'by hand'],
  newEdition: ['Ediție nouă', 'New edition'],
  served: ['publicat', 'published'],
  lastFailed: ['ultimul fișier a fost respins', 'the last file was refused'],
  closed: ['numai cu cheie', 'with a key only'],
  refreshFailed: ['Actualizarea automată nu a reușit', 'The automatic refresh failed'],
  ingestRefused: ['Ultimul fișier a fost respins', 'The last file was refused'],
  previous: ['Înapoi', 'Previous'],
  next: ['Înainte', 'Next'],
  drafts: ['Ciorne', 'Drafts'],
  noDrafts: ['Nicio ciornă.', 'No drafts.'],
  file: ['Fișier', 'File'],
  state: ['Stare', 'State'],
  changed: ['Modificat', 'Changed'],
  actions: ['Acțiuni', 'Actions'],
  remove: ['Ștergeți', 'Remove'],
  removeDraftTitle: [
    (name: string) => `Ștergeți ciorna „${name}”?`,
    (name: string) => `Remove the draft “${name}”?`,
  ],
  removeDraftText: [
    'Se șterg fișierul încărcat și alegerile făcute pentru el. Datele publicate nu se schimbă.',
    'The uploaded file and your choices for it are removed. Published data does not change.',
  ],
  state_receiving: ['se preia', 'being fetched'],
  state_waiting: ['așteaptă', 'waiting'],
  state_reading: ['se citește', 'being read'],
  state_ready: ['de publicat', 'to be published'],
  state_refused: ['niciun tabel găsit', 'no table found'],
  state_failed: ['nu s-a putut citi', 'could not be read'],
  state_publishing: ['se publică', 'being published'],
  state_published: ['publicat', 'published'],
  state_unchanged: ['deja publicat', 'already published'],
})

/** A published dataset on the desk: `/publish/datasets/{id}`. */
export const DATASET_DESK_TEXTS = textTable({
  summary: [
    (rows: number, version: number) => `${countRomanian(rows, 'rând', 'rânduri')}, versiunea ${version} din`,
    (rows: number, version: number) => `${countEnglish(rows, 'row', 'rows')}, version ${version} of`,
  ],
  see: ['Pagina publică', 'Public page'],
  pages: ['Pagina publică', 'Public page'],
  pagesOpen: [
    'Rândurile și fișierele se văd pe pagina publică, fără cheie.',
    'Rows and files are shown on the public page, without a key.',
  ],
  pagesClosed: [
    'Pagina publică descrie setul de date, fără rânduri. Rândurile și fișierele se citesc cu o cheie.',
    'The public page describes the dataset, without rows. Rows and files are read with a key.',
  ],
  closePages: ['Afișați rândurile numai cu cheie', 'Show rows with a key only'],
  openPages: ['Afișați rândurile tuturor', 'Show rows to everyone'],
  areClosed: ['Rândurile se citesc acum numai cu o cheie.', 'Rows are now read with a key only.'],
  areOpen: ['Rândurile se văd acum pe pagina publică.', 'Rows are now shown on the public page.'],
  remove: ['Ștergerea setului de date', 'Removing the dataset'],
  removeText: [
    'Se șterg toate versiunile. Adresele setului nu mai răspund, iar programele care îl folosesc nu mai funcționează.',
    'All its versions are deleted. Its addresses no longer answer, and programs that use it stop working.',
  ],
  removeButton: ['Ștergeți setul de date', 'Remove the dataset'],
  removeTitle: [(title: string) => `Ștergeți „${title}”?`, (title: string) => `Remove “${title}”?`],
  removeDialog: [
    'Ștergerea nu poate fi anulată: nici versiunile, nici textele nu mai pot fi recuperate de aici.',
    'This cannot be undone: neither versions nor texts can be recovered from here.',
  ],
  removeLabel: [(id: string) => `Scrieți ${id} ca să confirmați`, (id: string) => `Write ${id} to confirm`],
  removeWrong: [(id: string) => `Scrieți exact: ${id}`, (id: string) => `Write exactly: ${id}`],
})

/** The texts about a dataset: `/publish/drafts/{id}` and `/publish/datasets/{id}`. */
export const ABOUT_TEXTS = textTable({
  title: ['Despre setul de date', 'About the dataset'],
  newText: [
    'Ce citesc oamenii despre aceste date. Puteți completa și după publicare.',
    'What people read about this data. You can also complete it after publishing.',
  ],
  editionText: [
    (id: string, domain: string) => `Setul ${id}, domeniul ${domain}.`,
    (id: string, domain: string) => `The dataset ${id} in the domain ${domain}.`,
  ],
  name: ['Titlu', 'Title'],
  nameHint: [
    'De exemplu „Șomajul înregistrat pe județe”. Fără titlu se folosește numele fișierului.',
    'For example “Registered unemployment by county”. Without one the name of the file is used.',
  ],
  id: ['Nume în adrese', 'Name in addresses'],
  idHint: [
    'Litere mici fără diacritice, cifre și _. Nu se mai poate schimba după publicare.',
    'Lower-case letters, digits and _. It cannot be changed after publishing.',
  ],
  wrongId: [
    'Numele are 1–64 de litere mici fără diacritice, cifre sau _.',
    'The name has 1 to 64 lower-case letters, digits or _.',
  ],
  domain: ['Domeniu', 'Domain'],
  noDomain: ['— alegeți —', '— choose —'],
  domainMissing: ['Alegeți un domeniu.', 'Choose a domain.'],
  otherDomain: ['alt domeniu…', 'another domain…'],
  domainId: ['Numele domeniului', 'Name of the domain'],
  domainIdHint: [
    'Un cuvânt cu litere mici fără diacritice, de exemplu urbanism.',
    'One word in lower-case letters, for example planning.',
  ],
  publisher: ['Instituția care publică', 'Publisher'],
  publisherHint: ['De exemplu Primăria Cluj-Napoca.', 'For example City of Cluj-Napoca.'],
  licence: ['Licență', 'Licence'],
  noLicence: ['— nespecificată —', '— not stated —'],
  otherLicence: ['altă licență…', 'another licence…'],
  licenceName: ['Numele sau adresa licenței', 'Name or address of the licence'],
  keywords: ['Cuvinte-cheie', 'Keywords'],
  keywordsHint: ['Despărțite prin virgulă.', 'Separated by commas.'],
  description: ['Descriere', 'Description'],
  descriptionHint: [
    'Ce conțin datele, de unde provin și ce trebuie știut despre ele.',
    'What the data contains, where it comes from and what readers should know about it.',
  ],
  save: ['Salvați', 'Save'],
  saved: ['Textele au fost salvate.', 'The texts are saved.'],
  keptAlways: ['Ce scrieți aici se salvează automat.', 'What you write here is saved as you write.'],
  kept: ['Salvat.', 'Saved.'],
  over: [
    'Între timp s-a publicat din altă fereastră, fără ce ați scris aici la urmă. Textele se pot schimba pe pagina setului.',
    'This draft has been published from another window, without your last changes here. You can edit the texts on the page of the dataset.',
  ],
  elsewhere: [
    (fields: string) => `Schimbat între timp în altă fereastră: ${fields}. Se publică ce scrie aici.`,
    (fields: string) =>
      `Meanwhile changed in another window: ${fields}. What is written here will be published.`,
  ],
})

/** When a dataset is fetched again: `/publish/datasets/{id}`. */
export const SCHEDULE_TEXTS = textTable({
  title: ['Actualizare automată', 'Automatic refresh'],
  text: [
    'Dacă fișierul se află la o adresă, serviciul îl preia singur și publică edițiile noi, citite la fel ca ultima dată.',
    'If the file is at an address, the service fetches it and publishes new editions by itself, read in the same way as the last one.',
  ],
  address: ['Adresa fișierului', 'Address of the file'],
  addressHint: [
    'O adresă care începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    'An address that begins with https://, or ckan:https:// for a CKAN package',
  ],
  when: ['Când se preia', 'When it is fetched'],
  daily: ['în fiecare noapte (ora 4 UTC)', 'every night (4:00 UTC)'],
  weekly: ['în fiecare luni (ora 4 UTC)', 'every Monday (4:00 UTC)'],
  monthly: ['în prima zi a lunii (ora 4 UTC)', 'on the first day of the month (4:00 UTC)'],
  other: ['alt program…', 'another schedule…'],
  pattern: ['Programul, ca expresie cron în UTC', 'The schedule, as a cron pattern in UTC'],
  patternHint: [
    'Minut, oră, zi, lună, zi a săptămânii: 30 5 * * 1-5 înseamnă ora 5:30, de luni până vineri.',
    'Minute, hour, day, month, day of the week: 30 5 * * 1-5 is 5:30 from Monday to Friday.',
  ],
  save: ['Salvați programul', 'Save the schedule'],
  saved: ['Programul a fost salvat.', 'The schedule has been saved.'],
  end: ['Opriți actualizarea automată', 'Stop the automatic refresh'],
  ended: ['Actualizarea automată a fost oprită.', 'The automatic refresh has been stopped.'],
  checked: ['Ultima verificare:', 'Last checked:'],
  next: ['Următoarea:', 'Next:'],
  byHand: ['Fără program: se preia numai la cerere.', 'No schedule: it is fetched only on request.'],
  failed: ['nu a reușit', 'failed'],
})

/** Versions of a dataset and their differences: `/publish/datasets/{id}`. */
export const VERSION_TEXTS = textTable({
  title: ['Versiuni', 'Versions'],
  text: [
    'Fiecare publicare creează o versiune nouă. Oricare dintre cele păstrate se poate publica din nou.',
    'Each publication makes a new version. Any version that is kept can be published again.',
  ],
  version: ['Versiune', 'Version'],
  numbered: [(version: number) => `versiunea ${version}`, (version: number) => `version ${version}`],
  published: ['Publicată', 'Published'],
  file: ['Fișier', 'File'],
  rows: ['Rânduri', 'Rows'],
  quarantined: ['În carantină', 'In quarantine'],
  state: ['Stare', 'State'],
  served: ['publicată acum', 'current'],
  serve: ['Publicați din nou', 'Publish again'],
  serveOf: [
    (version: number) => `Publicați din nou versiunea ${version}`,
    (version: number) => `Publish again: version ${version}`,
  ],
  serveTitle: [
    (version: number) => `Publicați din nou versiunea ${version}?`,
    (version: number) => `Publish version ${version} again?`,
  ],
  serveText: [
    'De acum toți vor citi această versiune. Celelalte se păstrează.',
    'Everyone reads this version from now on. The others are kept.',
  ],
  isServed: [
    (version: number) => `Acum este publicată versiunea ${version}.`,
    (version: number) => `Version ${version} is now published.`,
  ],
  compare: ['Ce s-a schimbat', 'What changed'],
  from: ['De la', 'From'],
  to: ['La', 'To'],
  showDifference: ['Afișați diferența', 'Show the difference'],
  between: [
    (from: number, to: number) => `De la versiunea ${from} la versiunea ${to}.`,
    (from: number, to: number) => `From version ${from} to version ${to}.`,
  ],
  sameSource: ['Ambele provin din același fișier.', 'Both come from the same file.'],
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
  values: ['Coloane ale căror valori s-au schimbat mult', 'Columns whose values changed a lot'],
  column: ['Coloană', 'Column'],
  missing: ['Fără valoare', 'No value'],
  distinct: ['Valori diferite', 'Different values'],
})

/** Who reads a dataset: `/publish/datasets/{id}`. */
export const USE_TEXTS = textTable({
  title: ['Utilizare', 'Use'],
  period: ['Perioadă', 'Period'],
  days: [
    (days: number) => `ultimele ${countRomanian(days, 'zi', 'zile')}`,
    (days: number) => `last ${days} days`,
  ],
  none: ['Nimeni nu a citit datele în această perioadă.', 'Nobody has read the data in this period.'],
  total: [
    (calls: number, rows: number, bytes: string) =>
      `${countRomanian(calls, 'cerere', 'cereri')}, ${countRomanian(rows, 'rând citit', 'rânduri citite')}, ${bytes}.`,
    (calls: number, rows: number, bytes: string) =>
      `${countEnglish(calls, 'request', 'requests')}, ${countEnglish(rows, 'row', 'rows')} read, ${bytes}.`,
  ],
  chart: ['Cereri pe zile', 'Requests by day'],
  byReader: ['Cine a citit', 'Who read it'],
  reader: ['Cheie', 'Key'],
  pages: ['pagina publică, fără cheie', 'the public page, without a key'],
  deletedKey: ['o cheie ștearsă', 'a deleted key'],
  format: ['Format', 'Format'],
  calls: ['Cereri', 'Requests'],
  rows: ['Rânduri', 'Rows'],
  bytes: ['Volum', 'Volume'],
})
