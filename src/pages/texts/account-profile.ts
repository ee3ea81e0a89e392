import { textTable } from './texts.ts'

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
  save: ['Salvează', 'Save'],
  saved: ['Profilul este salvat.', 'The profile is saved.'],
  email: ['Adresa de e-mail', 'E-mail address'],
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
  resend: ['Trimite din nou legătura', 'Send the link again'],
  resent: [
    'V-am trimis un mesaj cu o legătură. Legătura funcționează 24 de ore.',
    'An e-mail with a link is on its way. The link works for 24 hours.',
  ],
  renew: ['Scrie o legătură nouă în jurnal', 'Write a new link to the log'],
  renewed: [
    'O legătură nouă este în jurnalul serviciului: cereți-o administratorului. Funcționează 24 de ore.',
    'A new link is in the log of the service: ask its operator for it. It works for 24 hours.',
  ],
  plan: ['Plan', 'Plan'],
  member: ['Cont creat', 'Member since'],
  data: ['Datele dumneavoastră', 'Your data'],
  dataText: [
    'Tot ce se păstrează despre cont, ca fișier JSON: profilul, sesiunile, autentificările, cheile (fără secrete), utilizarea și jurnalul.',
    'Everything stored about the account, as a JSON file: profile, sessions, sign-ins, keys (without secrets), usage and log.',
  ],
  download: ['Descarcă datele', 'Download the data'],
  remove: ['Ștergerea contului', 'Delete the account'],
  removeText: [
    'Cheile încetează imediat să funcționeze, iar utilizarea, jurnalul și datele personale se șterg definitiv.',
    'Keys stop working at once; usage, log and personal data are deleted permanently.',
  ],
  removeButton: ['Șterge contul…', 'Delete the account…'],
  removeTitle: ['Ștergeți contul definitiv?', 'Delete the account permanently?'],
  removeDialog: [
    'Cheile, utilizarea, jurnalul și datele personale se șterg și nu pot fi recuperate. Pentru confirmare, scrieți parola.',
    'Keys, usage, log and personal data are deleted and cannot be recovered. Enter your password to confirm.',
  ],
  password: ['Parola', 'Password'],
  removeConfirm: ['Șterge contul definitiv', 'Delete the account permanently'],
})
