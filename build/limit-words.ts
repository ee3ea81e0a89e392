/** What each limit counts, in the words of the guides. */

import type { LimitName } from '../src/base/limits.ts'

export const LIMIT_WORDS: Readonly<Record<LimitName, Readonly<Record<'en' | 'ro', string>>>> = {
  sign_up: { en: 'sign-ups', ro: 'înregistrări' },
  password_checks: { en: 'passwords judged at sign-up', ro: 'parole verificate la înregistrare' },
  password_changes: { en: 'new passwords judged', ro: 'parole noi verificate' },
  sign_in: { en: 'sign-ins', ro: 'autentificări' },
  sign_in_failures: { en: 'wrong passwords', ro: 'parole greșite' },
  unknown_failures: { en: 'wrong passwords', ro: 'parole greșite' },
  blocked_notes: { en: 'blocked sign-ins in the history', ro: 'autentificări blocate, în istoric' },
  confirmations: { en: 'wrong passwords while signed in', ro: 'parole greșite după autentificare' },
  second_factor: { en: 'wrong codes of a second factor', ro: 'coduri greșite ale celui de-al doilea factor' },
  reset_requests: { en: 'requests for a new password', ro: 'cereri de parolă nouă' },
  reset_mails: { en: 'mails to set a password', ro: 'mesaje pentru o parolă nouă' },
  verification_mails: { en: 'mails to confirm an address', ro: 'mesaje de confirmare a adresei' },
  calls: { en: 'requests below `/v1`', ro: 'cereri sub `/v1`' },
  uploads: { en: 'files sent or fetched', ro: 'fișiere trimise sau preluate' },
  changes: { en: 'other changes of a publisher', ro: 'alte modificări ale unui editor' },
  open_rows: { en: 'requests for rows without a key', ro: 'cereri de rânduri fără cheie' },
  quota: { en: 'calls per month', ro: 'apeluri pe lună' },
  key_queries: { en: 'long queries at once', ro: 'interogări lungi în același timp' },
  open_queries: {
    en: 'long queries without a key at once',
    ro: 'interogări lungi fără cheie în același timp',
  },
  queries: { en: 'long queries at once', ro: 'interogări lungi în același timp' },
  query_time: { en: 'work on one query', ro: 'lucrul la o interogare' },
  question_values: { en: 'values of an argument in a body', ro: 'valori ale unui argument din conținut' },
  question_size: {
    en: 'KB of text in a question in a body',
    ro: 'KB de text ai unei întrebări din conținut',
  },
  exports: { en: 'exports at once', ro: 'exporturi în același timp' },
  open_exports: { en: 'downloads without a key at once', ro: 'descărcări fără cheie în același timp' },
  all_exports: { en: 'exports at once', ro: 'exporturi în același timp' },
  password_work: { en: 'passwords waiting to be checked', ro: 'parole care așteaptă verificarea' },
  whole_files: { en: 'whole versions read at once', ro: 'versiuni citite în întregime în același timp' },
  connections: { en: 'connections of a process', ro: 'conexiuni ale unui proces' },
  address_connections: { en: 'connections with a request in progress', ro: 'conexiuni cu o cerere în lucru' },
  memory: { en: 'memory of the process', ro: 'memoria procesului' },
  held_bodies: { en: 'MB of unfinished request bodies', ro: 'MB de conținut incomplet al cererilor' },
  body_pace: {
    en: 'KB a second at least, over 30 seconds',
    ro: 'KB pe secundă cel puțin, timp de 30 de secunde',
  },
  download_pace: {
    en: 'KB a second at least that a download takes, over a minute',
    ro: 'KB pe secundă cel puțin, preluați de o descărcare, timp de un minut',
  },
  body_time: {
    en: 'seconds for a whole body of a publisher',
    ro: 'secunde pentru tot conținutul, la publicare',
  },
  short_body_time: { en: 'seconds for any other whole body', ro: 'secunde pentru orice alt conținut' },
}
