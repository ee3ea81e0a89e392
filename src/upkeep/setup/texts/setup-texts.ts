/**
 * Texts of the setup in the shell and on its page. Steps and ways have a title, and steps a sentence under the same name
 * with `About`; a field has a label, and a hint under its name with `Hint`.
 */

import { SETTINGS, type SettingName } from '../../../base/config/config.ts'
import { textTable } from '../../../base/text/language.ts'
import { FINDING_TEXTS } from './finding-texts.ts'

/** What an answer may be; the English texts are in the settings. */
const EXPECTED_RO: { readonly [name in SettingName]?: string } = {
  publisher: 'un nume, pe un singur rând',
  contact: 'o adresă de e-mail sau una care începe cu http:// ori https://',
  base_url: 'o adresă precum https://date.example.ro, fără parametri',
  host: 'o adresă IP, localhost sau un nume de calculator, fără port',
  port: 'un port, de la 0 la 65535',
  trusted_proxies: 'adrese și rețele precum 127.0.0.1, 10.0.0.0/8, separate prin virgule',
  acme_host: 'un nume precum date.example.ro, fără https:// și fără port',
  acme_email: 'o adresă de e-mail',
  tls_cert: 'un fișier PEM',
  tls_key: 'un fișier PEM',
  smtp_url: 'o adresă precum smtps://utilizator:parola@mail.example.ro',
  mail_from: 'o adresă de e-mail sau un nume urmat de adresă între < și >, pe un singur rând',
  alerts_to: 'adrese de e-mail, separate prin virgule',
  backup_dir: 'un dosar',
  backup_schedule: 'un orar cron de cinci câmpuri, precum „30 2 * * *” (02:30 în fiecare zi, ora UTC)',
  backup_keep: 'un număr întreg, de la 1 la 10000',
}

export const SETUP_TEXTS = textTable({
  institution: ['Instituția', 'Institution'],
  institutionAbout: [
    'Paginile și catalogul arată cine publică datele și unde pot fi puse întrebări.',
    'Pages and catalog say who publishes the data and where to ask about them.',
  ],
  publisher: ['Numele instituției', 'Name of the institution'],
  publisherHint: ['De exemplu: Primăria Municipiului Cluj-Napoca', 'For example: Cluj-Napoca City Hall'],
  contact: ['Contact', 'Contact'],
  contactHint: [
    'O adresă de e-mail sau adresa unei pagini. Poate lipsi.',
    'An e-mail address or the address of a page. Optional.',
  ],

  address: ['Adresa', 'Address'],
  addressAbout: [
    'Unde ascultă serviciul și cum îl găsesc alții.',
    'Where the service listens and how others find it.',
  ],
  base_url: ['Adresa publică', 'Public address'],
  base_urlHint: [
    'Adresa din legături și mesaje, de exemplu https://date.example.ro. Poate lipsi cât timp serviciul este doar al acestui calculator.',
    'The address in links and mail, such as https://data.example.org. Optional while only this computer uses the service.',
  ],
  host: ['Ascultă la', 'Listens on'],
  hostHint: [
    '127.0.0.1: îl vede doar acest calculator. 0.0.0.0: îl văd și alte calculatoare din rețea.',
    '127.0.0.1: only this computer sees it. 0.0.0.0: other computers on the network see it, too.',
  ],
  port: ['Port', 'Port'],
  portHint: ['Un număr de la 0 la 65535, de obicei 3000.', 'A number from 0 to 65535, usually 3000.'],

  https: ['HTTPS', 'HTTPS'],
  httpsAbout: [
    'Fără HTTPS, parolele și cheile circulă prin rețea necriptate.',
    'Without HTTPS, passwords and keys cross the network unencrypted.',
  ],
  httpsNone: ['Fără HTTPS, pentru acest calculator', 'No HTTPS, for this computer alone'],
  httpsProxy: ['În spatele unui proxy care are HTTPS', 'Behind a proxy that has HTTPS'],
  httpsAcme: [
    'Cu un certificat gratuit, obținut automat (ACME)',
    'With a free certificate that comes by itself (ACME)',
  ],
  httpsOwn: ['Cu un certificat propriu', 'With a certificate of your own'],
  trusted_proxies: ['Adresa proxy-ului', 'Address of the proxy'],
  trusted_proxiesHint: [
    '127.0.0.1 dacă rulează pe acest calculator. De la el se preia adresa vizitatorilor (X-Forwarded-For).',
    '127.0.0.1 if it runs on this computer. The addresses of visitors are taken from it (X-Forwarded-For).',
  ],
  acme_host: ['Numele public', 'Public name'],
  acme_hostHint: [
    'De exemplu date.example.ro. Numele duce la acest calculator, ale cărui porturi 80 și 443 sunt deschise spre internet. Acceptați condițiile Let’s Encrypt.',
    'For example data.example.org. The name leads to this computer, whose ports 80 and 443 are open to the internet. You agree to the terms of Let’s Encrypt.',
  ],
  acme_email: ['Adresa dumneavoastră de e-mail', 'Your e-mail address'],
  acme_emailHint: [
    'Aici vă poate scrie autoritatea de certificare. Poate lipsi.',
    'Where the certificate authority reaches you. Optional.',
  ],
  tls_cert: ['Fișierul certificatului', 'Certificate file'],
  tls_certHint: ['Un fișier PEM, cu lanțul certificatului.', 'A PEM file with the chain of the certificate.'],
  tls_key: ['Fișierul cheii private', 'Private key file'],
  tls_keyHint: ['Un fișier PEM fără parolă.', 'A PEM file without a password.'],

  mail: ['E-mail', 'Mail'],
  mailAbout: [
    'Serviciul trimite legături de confirmare, parole noi și alerte.',
    'The service sends links for confirmation, new passwords and alerts.',
  ],
  mailNone: ['Fără e-mail; mesajele apar în jurnal', 'No mail; messages go to the log'],
  mailServer: ['Printr-un server de e-mail', 'Through a mail server'],
  smtp_url: ['Serverul de e-mail', 'Mail server'],
  smtp_urlHint: [
    'De exemplu smtps://utilizator:parola@mail.example.ro. Un @ din utilizator sau parolă se scrie %40.',
    'For example smtps://user:password@mail.example.org. Write an @ in user or password as %40.',
  ],
  mail_from: ['Expeditor', 'Sender'],
  mail_fromHint: [
    'O adresă, sau un nume urmat de adresă: Date deschise <date@example.ro>. Poate lipsi.',
    'An address, or a name and an address: Open data <data@example.org>. Optional.',
  ],
  alerts_to: ['Adresa dumneavoastră', 'Your own address'],
  alerts_toHint: [
    'Aici sosesc un mesaj de probă acum și alertele mai târziu.',
    'A test mail goes here now, and alerts later.',
  ],

  backup: ['Copii de rezervă', 'Backup'],
  backupAbout: [
    'O copie a tuturor datelor, făcută cât timp serviciul rulează.',
    'A copy of all data, made while the service runs.',
  ],
  backupNone: ['Fără copii automate', 'No automatic backups'],
  backupFolder: ['După un orar, într-un dosar', 'By a schedule, into a folder'],
  backup_dir: ['Dosarul', 'Folder'],
  backup_dirHint: ['De preferat pe alt disc.', 'Best on another disk.'],
  backup_schedule: ['Când', 'When'],
  backup_scheduleHint: [
    'Cinci câmpuri cron, ora UTC: 30 2 * * * înseamnă 02:30 în fiecare zi.',
    'Five cron fields, in UTC: 30 2 * * * is 02:30 every day.',
  ],
  backup_keep: ['Câte se păstrează', 'How many are kept'],
  backup_keepHint: ['De la 1 la 10000; cele mai vechi se șterg.', 'From 1 to 10000; the oldest are removed.'],

  start: ['Pornirea', 'Start'],
  startAbout: [
    'Dacă serviciul pornește odată cu calculatorul.',
    'Whether the service starts with the computer.',
  ],
  startNo: ['Se pornește manual', 'It is started by hand'],
  startYes: ['Pornește odată cu calculatorul', 'It starts with the computer'],

  // Faults in answers.
  missing: [(label: string) => `Completați „${label}”.`, (label: string) => `Fill in "${label}".`],
  misfit: [
    (text: string, expected: string) => `„${text}” nu se potrivește aici: se așteaptă ${expected}.`,
    (text: string, expected: string) => `"${text}" does not fit here: expected ${expected}.`,
  ],
  secretMisfit: [
    (expected: string) => `Valoarea nu se potrivește aici: se așteaptă ${expected}.`,
    (expected: string) => `The value does not fit here: expected ${expected}.`,
  ],
  expected: [
    (name: SettingName) => EXPECTED_RO[name] ?? '',
    (name: SettingName) => SETTINGS[name].kind.expected,
  ],

  ...FINDING_TEXTS,

  // What became of the answers.
  saved: [(file: string) => `Scris în ${file}.`, (file: string) => `Written to ${file}.`],
  notWritten: [
    (reason: string, lines: string) => `${reason}. Cine are dreptul scrie acolo: ${lines}`,
    (reason: string, lines: string) => `${reason}. Somebody with the rights writes there: ${lines}`,
  ],
  unchanged: ['Setările rămân cum sunt.', 'The settings stay as they are.'],
  notSaved: ['Nu s-a scris nimic.', 'Nothing was written.'],
  atNextStart: [
    (labels: string) => `De la următoarea pornire a serviciului: ${labels}.`,
    (labels: string) => `From the next start of the service: ${labels}.`,
  ],
  otherNodes: [
    'Celelalte noduri au fișierul lor: schimbați-l și acolo.',
    'Other nodes have a file of their own: change it there, too.',
  ],
  nowInForce: [
    (labels: string) => `În vigoare de acum: ${labels}.`,
    (labels: string) => `In force from now on: ${labels}.`,
  ],
  overridden: [
    (label: string, origin: string) =>
      `„${label}” este dat de ${origin}, care are întâietate față de izvor.toml: schimbați-l acolo.`,
    (label: string, origin: string) =>
      `"${label}" is given by ${origin}, which takes precedence over izvor.toml: change it there.`,
  ],

  // Texts outside the steps.
  heading: ['Configurare', 'Setup'],
  description: [
    'Numele instituției, adresa publică, HTTPS, e-mail, copii de rezervă și pornire.',
    'Name of the institution, public address, HTTPS, mail, backup and start.',
  ],
  lead: [
    (file: string) =>
      `Fiecare pas încearcă ce configurează, spune ce a găsit și scrie în ${file}. Restul fișierului rămâne neschimbat.`,
    (file: string) =>
      `Each step tries what it sets up, says what it found, and writes to ${file}. The rest of the file stays.`,
  ],
  onDesktop: [
    'Serviciul din această fereastră este doar al dumneavoastră. Adresa și HTTPS sunt ale serviciului care pornește odată cu calculatorul: ultimul pas îl pornește.',
    'The service in this window is yours alone. Address and HTTPS are those of the service that starts with the computer: the last step starts it.',
  ],
  keys: [
    'Enter păstrează valoarea din paranteze; - o elimină; Ctrl-C încheie.',
    'Enter keeps the value in brackets; - removes it; Ctrl-C ends.',
  ],
  which: ['Varianta', 'Which'],
  anyway: ['Scriem totuși? (da/nu)', 'Write it all the same? (yes/no)'],
  yes: ['da', 'yes'],
  no: ['nu', 'no'],
  save: ['Încercați și salvați', 'Try and save'],
  saveAnyway: ['Salvați totuși', 'Save all the same'],
  kept: ['Lăsați gol pentru a o păstra.', 'Leave empty to keep it.'],
  typeAgain: [
    'Ce ați scris nu este afișat: scrieți din nou înainte de a salva.',
    'What you typed is not shown: type it again before you save.',
  ],
  trying: ['Se încearcă…', 'Trying …'],
})
