import { textTable } from './texts.ts'

/** The frame of the publishing desk and its first page: `/publish`. */
export const DESK_TEXTS = textTable({
  publish: ['Publicare', 'Publish'],
  guide: ['Cum se publică', 'How to publish'],
  draft: ['Fișier de publicat', 'File to publish'],
  dataset: ['Set de date', 'Dataset'],
  description: [
    'Publicați fișiere ca seturi de date și îngrijiți-vă de cele publicate.',
    'Publish files as datasets, and look after those that are published.',
  ],
  needsScript: [
    'Pagina de publicare are nevoie de JavaScript, care este dezactivat în acest browser.',
    'The publishing pages need JavaScript, which is turned off in this browser.',
  ],
  noRole: ['Contul acesta nu poate publica', 'This account cannot publish'],
  noRoleText: [
    (email: string) =>
      `Sunteți autentificat ca ${email}, un cont care poate citi date, dar nu le poate publica.`,
    (email: string) => `You are signed in as ${email}, an account that may read data but not publish it.`,
  ],
  askOperator: [
    'Cereți administratorului acestui serviciu dreptul de a publica.',
    'Ask the operator of this service for the right to publish.',
  ],
  askOperatorOf: [
    (publisher: string) => `Cereți dreptul de a publica la ${publisher}, care administrează acest serviciu.`,
    (publisher: string) => `Ask ${publisher}, which runs this service, for the right to publish.`,
  ],
  datasets: ['Seturile de date', 'Datasets'],
  noDatasets: [
    'În domeniile dumneavoastră nu este publicat încă nimic. Alegeți mai sus primul fișier.',
    'Nothing is published in your domains yet. Choose the first file above.',
  ],
  rowCount: ['Rânduri', 'Rows'],
  lastEdition: ['Ultima ediție', 'Last edition'],
  nextRefresh: ['Următoarea actualizare', 'Next refresh'],
  version: [(version: number) => `versiunea ${version}`, (version: number) => `version ${version}`],
  byHand: ['manual', 'by hand'],
  newEdition: ['Ediție nouă', 'New edition'],
  served: ['publicat', 'published'],
  lastFailed: ['ultimul fișier a fost respins', 'the last file failed'],
  closed: ['numai cu cheie', 'with a key only'],
  refreshFailed: ['Actualizarea automată nu a reușit', 'The automatic refresh failed'],
  ingestRefused: ['Ultimul fișier a fost respins', 'The last file was refused'],
  previous: ['Înapoi', 'Previous'],
  next: ['Înainte', 'Next'],
  drafts: ['Fișiere în lucru', 'Files in progress'],
  noDrafts: ['Niciun fișier în lucru.', 'No file is in progress.'],
  file: ['Fișier', 'File'],
  state: ['Stare', 'State'],
  changed: ['Modificat', 'Changed'],
  actions: ['Acțiuni', 'Actions'],
  remove: ['Șterge', 'Remove'],
  removeDraftTitle: [
    (name: string) => `Ștergeți fișierul în lucru „${name}”?`,
    (name: string) => `Remove “${name}” from the files in progress?`,
  ],
  removeDraftText: [
    'Se șterg fișierul încărcat și ce ați ales pentru el. Datele publicate nu se schimbă.',
    'The uploaded file and your choices for it are removed. What is published does not change.',
  ],
  state_receiving: ['se preia', 'being fetched'],
  state_waiting: ['așteaptă', 'waiting'],
  state_reading: ['se citește', 'being read'],
  state_ready: ['de publicat', 'to be published'],
  state_refused: ['nu este un tabel', 'no table found'],
  state_failed: ['nu s-a putut citi', 'could not be read'],
  state_publishing: ['se publică', 'being published'],
  state_published: ['publicat', 'published'],
  state_unchanged: ['deja publicat', 'already published'],
})
