import { textTable } from './texts.ts'

/** Profile, e-mail, download and deletion: `/account/profile`. */
export const PROFILE_TEXTS = textTable(
  {
    description: 'Numele, instituția, limba, adresa de e-mail și datele contului.',
    about: 'Despre dumneavoastră',
    fullName: 'Numele',
    organization: 'Instituția',
    language: 'Limba paginilor și a mesajelor',
    ro: 'Română',
    en: 'English',
    save: 'Salvează',
    saved: 'Profilul este salvat.',
    email: 'Adresa de e-mail',
    verified: 'confirmată',
    unverified: 'neconfirmată',
    unverifiedText:
      'Adresa nu este încă confirmată. Nu vă limitează cu nimic, dar așa știm că mesajele ajung la dumneavoastră.',
    resend: 'Trimite din nou legătura',
    resent: 'Un mesaj cu o legătură este pe drum. Legătura funcționează 24 de ore.',
    plan: 'Plan',
    member: 'Cont creat',
    data: 'Datele dumneavoastră',
    dataText:
      'Tot ce se păstrează despre cont, ca fișier JSON: profilul, sesiunile, autentificările, cheile (fără secrete), utilizarea și jurnalul.',
    download: 'Descarcă datele',
    remove: 'Ștergerea contului',
    removeText:
      'Cheile încetează imediat să funcționeze, iar utilizarea, jurnalul și datele personale se șterg definitiv.',
    removeButton: 'Șterge contul…',
    removeTitle: 'Ștergeți contul definitiv?',
    removeDialog:
      'Cheile, utilizarea, jurnalul și datele personale dispar și nu se pot recupera. Pentru confirmare scrieți parola.',
    password: 'Parola',
    removeConfirm: 'Șterge contul definitiv',
  },
  {
    description: 'Your name, organization, language, e-mail address and the data of the account.',
    about: 'About you',
    fullName: 'Your name',
    organization: 'Organization',
    language: 'Language of pages and mails',
    ro: 'Română',
    en: 'English',
    save: 'Save',
    saved: 'The profile is saved.',
    email: 'E-mail address',
    verified: 'confirmed',
    unverified: 'not confirmed',
    unverifiedText:
      'The address is not confirmed yet. That limits nothing, but it tells us that our mails reach you.',
    resend: 'Send the link again',
    resent: 'A mail with a link is on its way. The link works for 24 hours.',
    plan: 'Plan',
    member: 'Member since',
    data: 'Your data',
    dataText:
      'Everything that is kept about the account, as a JSON file: profile, sessions, sign-ins, keys (without secrets), usage and log.',
    download: 'Download the data',
    remove: 'Delete the account',
    removeText: 'Keys stop working at once; usage, log and personal data are deleted for good.',
    removeButton: 'Delete the account…',
    removeTitle: 'Delete the account for good?',
    removeDialog:
      'Keys, usage, log and personal data go and cannot be brought back. Write your password to confirm.',
    password: 'Password',
    removeConfirm: 'Delete the account for good',
  },
)
