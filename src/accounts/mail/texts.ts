/**
 * What the mails say. `{host}` is the service's public name, `{time}` when it happened (UTC); other words in braces are
 * facts of the mail.
 */

import type { Language } from '../../base/text/language.ts'
import { ALERT_TEXTS } from './alert-texts.ts'
import type { AlertMailKind, MailKind } from './queue.ts'

interface MailText {
  readonly subject: string
  /** Paragraphs, before the link when there is one. */
  readonly before: readonly string[]
  /** What the link's button says; only for kinds that carry a link. */
  readonly button?: string
  readonly after?: readonly string[]
}

export const CLOSING: Readonly<Record<Language, string>> = {
  ro: 'Mesaj trimis automat de serviciul de date deschise {host}. Nu este nevoie să răspundeți.',
  en: 'Sent automatically by the open data service {host}. There is no need to answer.',
}

const ENGLISH: Readonly<Record<Exclude<MailKind, AlertMailKind>, MailText>> = {
  verify: {
    subject: 'Confirm your e-mail address',
    before: [
      'Welcome to {host}.',
      'Please confirm that this address is yours. The link works once, for 24 hours.',
    ],
    button: 'Confirm the address',
    after: ['If you did not register, ignore this message: nothing else will follow.'],
  },
  reset: {
    subject: 'Set a new password',
    before: [
      'A new password was requested for the account with this address at {host}.',
      'The link works once, for 30 minutes. Setting a new password signs out every browser; API keys keep working.',
    ],
    button: 'Set a new password',
    after: ['If you did not request it, ignore this message: your password stays as it is.'],
  },
  invitation: {
    subject: 'Your new account',
    before: [
      'An account with this address was created for you at {host}.',
      'Choose a password to sign in. The link works once, for 24 hours; after that, "Forgot your password?" sends another.',
    ],
    button: 'Choose a password',
    after: ['If you did not expect this, ignore the message.'],
  },
  password_changed: {
    subject: 'Your password was changed',
    before: [
      'The password of your account at {host} was changed ({time} UTC).',
      'If it was not you, set a new one at once with "Forgot your password?" on the sign-in page, and check your API keys.',
    ],
  },
  second_factor_on: {
    subject: 'Signing in now takes a code',
    before: [
      'A second factor was turned on for your account at {host} ({time} UTC): signing in takes a code of an authenticator app as well. All other browsers were signed out.',
      'If it was not you, write to the operator of the service, who can turn it off, and set a new password with "Forgot your password?".',
    ],
  },
  second_factor_off: {
    subject: 'Signing in no longer takes a code',
    before: [
      'The second factor of your account at {host} was turned off ({time} UTC). The password alone signs in.',
      'If it was not you, set a new password at once with "Forgot your password?" on the sign-in page, and check your API keys.',
    ],
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    before: [
      'A recovery code was used for your account at {host} ({time} UTC). It does not work again.',
      'If it was not you, set a new password at once with "Forgot your password?" on the sign-in page, then turn the second factor off and on again.',
    ],
  },
  key_created: {
    subject: 'A new API key was made',
    before: [
      'A new API key was created for your account at {host} ({time} UTC).',
      'If it was not you, revoke the key in your account and change your password.',
    ],
  },
  key_rotated: {
    subject: 'The secret of an API key was replaced',
    before: [
      'The secret of at least one API key of your account at {host} was replaced ({time} UTC). The old secret no longer works.',
      'If it was not you, revoke the key in your account and change your password.',
    ],
  },
  key_expires: {
    subject: 'An API key is about to expire',
    before: [
      'The API key "{key}" of your account at {host} stops working on {end} UTC.',
      'To keep it, give it a later end in your account; its secret stays the same. If it is no longer needed, there is nothing to do.',
    ],
  },
  account_deleted: {
    subject: 'Your account was deleted',
    before: [
      'Your account at {host} was deleted ({time} UTC), with its API keys, sessions, usage and logs.',
      'If it was not you, please write to the operator of the service.',
    ],
  },
}

const ROMANIAN: typeof ENGLISH = {
  verify: {
    subject: 'Confirmați adresa de e-mail',
    before: [
      'Bine ați venit la {host}.',
      'Vă rugăm să confirmați că această adresă vă aparține. Legătura funcționează o singură dată, timp de 24 de ore.',
    ],
    button: 'Confirm adresa',
    after: ['Dacă nu v-ați înregistrat, ignorați acest mesaj: nu va urma nimic altceva.'],
  },
  reset: {
    subject: 'Alegeți o parolă nouă',
    before: [
      'A fost cerută o parolă nouă pentru contul cu această adresă la {host}.',
      'Legătura funcționează o singură dată, timp de 30 de minute. O parolă nouă deconectează toate browserele; cheile API rămân valabile.',
    ],
    button: 'Aleg o parolă nouă',
    after: ['Dacă nu dumneavoastră ați cerut-o, ignorați acest mesaj: parola rămâne neschimbată.'],
  },
  invitation: {
    subject: 'Contul dumneavoastră nou',
    before: [
      'La {host} a fost creat un cont pentru dumneavoastră, cu această adresă.',
      'Alegeți o parolă pentru a vă autentifica. Legătura funcționează o singură dată, timp de 24 de ore; după aceea, „Ați uitat parola?” trimite alta.',
    ],
    button: 'Aleg o parolă',
    after: ['Dacă nu vă așteptați la acest mesaj, ignorați-l.'],
  },
  password_changed: {
    subject: 'Parola a fost schimbată',
    before: [
      'Parola contului dumneavoastră la {host} a fost schimbată ({time} UTC).',
      'Dacă nu dumneavoastră ați schimbat-o, alegeți imediat una nouă cu „Ați uitat parola?” din pagina de autentificare și verificați cheile API.',
    ],
  },
  second_factor_on: {
    subject: 'Autentificarea cere acum și un cod',
    before: [
      'Pentru contul dumneavoastră la {host} a fost activat al doilea pas ({time} UTC): autentificarea cere și un cod dintr-o aplicație de autentificare. Toate celelalte browsere au fost deconectate.',
      'Dacă nu dumneavoastră l-ați activat, scrieți celor care administrează serviciul, care îl pot dezactiva, și alegeți o parolă nouă cu „Ați uitat parola?”.',
    ],
  },
  second_factor_off: {
    subject: 'Autentificarea nu mai cere un cod',
    before: [
      'Al doilea pas al contului dumneavoastră la {host} a fost dezactivat ({time} UTC). Parola este suficientă pentru autentificare.',
      'Dacă nu dumneavoastră l-ați dezactivat, alegeți imediat o parolă nouă cu „Ați uitat parola?” din pagina de autentificare și verificați cheile API.',
    ],
  },
  recovery_code_used: {
    subject: 'A fost folosit un cod de rezervă',
    before: [
      'Pentru contul dumneavoastră la {host} a fost folosit un cod de rezervă ({time} UTC). Codul nu mai funcționează.',
      'Dacă nu dumneavoastră l-ați folosit, alegeți imediat o parolă nouă cu „Ați uitat parola?” din pagina de autentificare, apoi dezactivați și activați din nou al doilea pas.',
    ],
  },
  key_created: {
    subject: 'A fost creată o cheie API nouă',
    before: [
      'A fost creată o cheie API nouă pentru contul dumneavoastră la {host} ({time} UTC).',
      'Dacă nu dumneavoastră ați creat-o, revocați cheia din cont și schimbați parola.',
    ],
  },
  key_rotated: {
    subject: 'Secretul unei chei API a fost înlocuit',
    before: [
      'Secretul a cel puțin unei chei API a contului dumneavoastră la {host} a fost înlocuit ({time} UTC). Secretul vechi nu mai funcționează.',
      'Dacă nu dumneavoastră l-ați înlocuit, revocați cheia din cont și schimbați parola.',
    ],
  },
  key_expires: {
    subject: 'O cheie API expiră în curând',
    before: [
      'Cheia API „{key}” a contului dumneavoastră la {host} nu mai funcționează din {end} UTC.',
      'Dacă mai aveți nevoie de ea, alegeți în cont un termen mai târziu; secretul rămâne același. Dacă nu, nu trebuie să faceți nimic.',
    ],
  },
  account_deleted: {
    subject: 'Contul a fost șters',
    before: [
      'Contul dumneavoastră la {host} a fost șters ({time} UTC), împreună cu cheile API, sesiunile, utilizarea și jurnalele sale.',
      'Dacă nu dumneavoastră l-ați șters, vă rugăm să scrieți celor care administrează serviciul.',
    ],
  },
}

export const MAIL_TEXTS: Readonly<Record<Language, Readonly<Record<MailKind, MailText>>>> = {
  ro: { ...ROMANIAN, ...ALERT_TEXTS.ro },
  en: { ...ENGLISH, ...ALERT_TEXTS.en },
}
