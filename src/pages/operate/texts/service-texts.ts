import { countEnglish, countRomanian, textTable } from '../../texts/texts.ts'

/** `/operate`. */
export const OVERVIEW_TEXTS = textTable({
  attention: ['Ce vă cere atenția', 'What needs attention'],
  fine: ['Nimic nu vă cere atenția.', 'Nothing needs your attention.'],
  notExamined: ['Verificarea serviciului nu s-a putut face.', 'The service could not be examined.'],
  problem: ['problemă', 'problem'],
  warning: ['avertisment', 'warning'],
  note: ['de știut', 'note'],
  remedy: ['Remediu:', 'Remedy:'],
  examined: ['Serviciul a fost verificat', 'The service was examined'],
  inEnglish: [
    'Explicațiile sunt cele ale comenzii izvor doctor, în engleză.',
    'These are the findings of izvor doctor --quick.',
  ],
  backupFailed: ['Ultima copie de rezervă nu a reușit', 'The last backup failed'],
  figures: ['În cifre', 'In figures'],
  accounts: ['conturi', 'accounts'],
  keys: ['chei', 'keys'],
  datasets: ['seturi de date', 'datasets'],
  lastBackup: ['ultima copie de rezervă', 'last backup'],
})

/** What the doctor examines, by the name of its check. */
export const CHECK_TEXTS = textTable({
  folder: ['Dosarul de date', 'Data folder'],
  temp: ['Dosarul temporar', 'Temporary folder'],
  clock: ['Ceasul', 'Clock'],
  'open files': ['Fișiere deschise', 'Open files'],
  memory: ['Memoria', 'Memory'],
  settings: ['Setările', 'Settings'],
  mail: ['E-mailul', 'Mail'],
  certificate: ['Certificatul', 'Certificate'],
  database: ['Baza de date', 'Database'],
  'object store': ['Depozitul de obiecte', 'Object store'],
  nodes: ['Nodurile', 'Nodes'],
  disk: ['Discul', 'Disk'],
  filesystem: ['Sistemul de fișiere', 'File system'],
  unfinished: ['Lucrări neterminate', 'Unfinished work'],
  versions: ['Versiunile', 'Versions'],
  sources: ['Sursele', 'Sources'],
  backups: ['Copiile de rezervă', 'Backups'],
  'old copies': ['Copii vechi', 'Old copies'],
  service: ['Serviciul', 'Service'],
  base_url: ['Adresa publică', 'Public address'],
  proxy: ['Serverul intermediar', 'Proxy'],
})

/** `/operate/datasets`. */
export const DATASETS_TEXTS = textTable({
  lead: [
    (days: number, calls: string, size: string) =>
      `În ultimele ${countRomanian(days, 'zi', 'zile')}: ${calls} răspunsuri cu date, ${size}.`,
    (days: number, calls: string, size: string) =>
      `In the last ${countEnglish(days, 'day', 'days')}: ${calls} answers with data, ${size}.`,
  ],
  list: ['Seturi de date', 'Datasets'],
  dataset: ['Set de date', 'Dataset'],
  domain: ['Domeniu', 'Domain'],
  version: ['Versiune', 'Version'],
  calls: ['Răspunsuri', 'Answers'],
  rows: ['Rânduri citite', 'Rows read'],
  next: ['Următoarea actualizare', 'Next refresh'],
  state: ['Stare', 'State'],
  open: ['deschis', 'open'],
  withKey: ['cu cheie', 'with a key'],
})

/** `/operate/backups`. */
export const BACKUPS_TEXTS = textTable({
  folder: ['Dosar', 'Folder'],
  noFolder: ['nestabilit (setarea backup_dir)', 'not set (the setting backup_dir)'],
  schedule: ['Orar (UTC)', 'Schedule (UTC)'],
  noSchedule: ['niciunul', 'none'],
  kept: ['Câte se păstrează', 'How many are kept'],
  last: ['Ultima reușită', 'The last successful one'],
  failed: ['Ultima copie programată nu a reușit:', 'The last scheduled backup failed:'],
  running: ['Se face o copie de rezervă.', 'A backup is being made.'],
  refresh: ['Actualizați', 'Refresh'],
  setUp: ['Stabiliți un dosar', 'Set up a folder'],
  make: ['Faceți o copie de rezervă', 'Make a backup'],
  list: ['Copii de rezervă', 'Backups'],
  none: ['În dosar nu este nicio copie de rezervă.', 'There is no backup in the folder.'],
  name: ['Nume', 'Name'],
  at: ['Când', 'When'],
  files: ['Fișiere', 'Files'],
  size: ['Mărime', 'Size'],
  damaged: ['Fișiere deteriorate', 'Damaged files'],
  whole: ['niciunul', 'none'],
})

/** `/operate/settings`. */
export const SETTINGS_TEXTS = textTable({
  lead: [
    'Setările cu care lucrează serviciul și de unde vin. Secretele nu se văd. Le schimbați în izvor.toml, în variabile și opțiuni, ori pas cu pas la Configurare. Ce face fiecare este scris în engleză.',
    'The settings that the service works with, and where they come from. Secrets are not shown. Change them in izvor.toml, variables and options, or step by step in the setup.',
  ],
  changed: ['Stabilite de dumneavoastră', 'Set by you'],
  unchanged: ['Cu valoarea implicită', 'At their default'],
  name: ['Setare', 'Setting'],
  value: ['Valoare', 'Value'],
  origin: ['De unde', 'Origin'],
  help: ['Ce face', 'What it does'],
  default: ['implicită', 'default'],
  nothing: ['–', '–'],
})
