import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** Keys: `/account`. */
export const KEYS_TEXTS = textTable({
  description: [
    'Cheile API ale contului: creare, secret nou, revocare, ștergere.',
    'The API keys of your account: create, replace, revoke, delete.',
  ],
  verifyFirst: [
    (email: string) =>
      `V-am trimis un mesaj la ${email}: deschideți legătura din el pentru a confirma adresa.`,
    (email: string) => `We sent an e-mail to ${email}: open the link in it to confirm your address.`,
  ],
  verifyWithoutMail: [
    (email: string) =>
      `Adresa ${email} nu este confirmată. Acest serviciu nu trimite mesaje: cereți legătura de confirmare administratorului. Puteți folosi contul și fără ea.`,
    (email: string) =>
      `The address ${email} is not confirmed. This service sends no e-mail: ask its operator for the link that confirms it. The account works without it.`,
  ],
  plan: ['Plan', 'Plan'],
  used: [
    (count: string, quota: number) => `${count} din ${countRomanian(quota, 'apel', 'apeluri')} luna aceasta`,
    (count: string, quota: number) => `${count} of ${countEnglish(quota, 'call', 'calls')} this month`,
  ],
  usedUnlimited: [
    (count: number) => `${countRomanian(count, 'apel', 'apeluri')} luna aceasta, fără limită`,
    (count: number) => `${countEnglish(count, 'call', 'calls')} this month, no limit`,
  ],
  active: [
    (count: number, most: number | null) =>
      most === null
        ? countRomanian(count, 'cheie activă', 'chei active')
        : `${count} din ${countRomanian(most, 'cheie activă', 'chei active')}`,
    (count: number, most: number | null) =>
      most === null
        ? countEnglish(count, 'active key', 'active keys')
        : `${count} of ${countEnglish(most, 'active key', 'active keys')}`,
  ],
  newKey: ['O cheie nouă', 'A new key'],
  label: ['Numele cheii', 'Name of the key'],
  labelHint: [
    'Pentru ce o folosiți, de exemplu: „Portal de mobilitate”.',
    'What you use it for, for example “Mobility portal”.',
  ],
  more: ['Termen, drepturi, cotă', 'End, scopes, quota'],
  expires: ['Expiră', 'Expires'],
  expiresHint: [
    'De la acest moment cheia nu mai funcționează; vă scriem cu 14 și cu 3 zile înainte. Gol: nu expiră.',
    'From this moment the key does not work; we write to you 14 and 3 days before. Empty: it does not expire.',
  ],
  scopes: ['Drepturi', 'Scopes'],
  scopesHint: [
    'read: toate datele. read:domeniu sau read:domeniu/set: numai acestea. publish sau publish:domeniu: publică date, dacă și contul are dreptul.',
    'read: all data. read:domain or read:domain/dataset: only these. publish or publish:domain: brings data in, if the account may.',
  ],
  quota: ['Apeluri pe lună', 'Calls a month'],
  quotaHint: [
    'Cel mult atâtea dintre apelurile contului. Gol: oricâte are contul.',
    'At most this many of the calls of the account. Empty: as many as the account has.',
  ],
  mint: ['Creează cheia', 'Create the key'],
  list: ['Cheile dumneavoastră', 'Your keys'],
  none: [
    'Încă nu aveți nicio cheie. Dați un nume primei chei și creați-o; primiți imediat o cerere gata de lipit în terminal.',
    'You have no keys yet. Name your first key and create it; you then get a request ready to paste into a terminal.',
  ],
  stateActive: ['activă', 'active'],
  stateRevoked: ['revocată', 'revoked'],
  stateExpired: ['expirată', 'expired'],
  planOwn: [(plan: string) => `plan propriu: ${plan}`, (plan: string) => `its own plan: ${plan}`],
  created: ['Creată', 'Created'],
  rotated: ['Secret schimbat', 'Secret replaced'],
  revokedAt: ['Revocată', 'Revoked'],
  lastUsed: ['Folosită ultima oară', 'Last used'],
  calls: ['Apeluri', 'Calls'],
  callsOf: [
    (month: string, day: string) => `${month} luna aceasta, ${day} astăzi`,
    (month: string, day: string) => `${month} this month, ${day} today`,
  ],
  rename: ['Modifică', 'Edit'],
  rotate: ['Secret nou', 'New secret'],
  revoke: ['Revocă', 'Revoke'],
  remove: ['Șterge', 'Delete'],
  actionOf: [
    (action: string, label: string) => `${action}: ${label}`,
    (action: string, label: string) => `${action}: ${label}`,
  ],
  rotateAll: ['Secrete noi pentru toate cheile', 'New secrets for all keys'],

  secretTitle: [
    (label: string) => `Secretul cheii „${label}”`,
    (label: string) => `The secret of “${label}”`,
  ],
  secretsTitle: ['Secretele noi', 'The new secrets'],
  secretOnce: [
    'Copiați-l acum: se afișează o singură dată. Serviciul păstrează doar o amprentă din care nu poate fi refăcut.',
    'Copy it now: it is shown only once. The service stores only a hash, from which it cannot be recovered.',
  ],
  secretsOnce: [
    'Copiați-le acum: se afișează o singură dată. Cele vechi nu mai funcționează.',
    'Copy them now: they are shown only once. The old ones no longer work.',
  ],
  secret: ['Secretul', 'The secret'],
  curl: ['Cererea cu curl', 'The request with curl'],
  tryIt: ['Prima cerere, gata de lipit în terminal:', 'The first request, ready to paste into a terminal:'],
  secretDone: ['Am copiat, ascunde', 'Copied, hide it'],
  noneRotated: ['Nu există chei active.', 'There are no active keys.'],

  renameTitle: [(label: string) => `Modificarea cheii „${label}”`, (label: string) => `Edit “${label}”`],
  renameText: ['Secretul rămâne același.', 'The secret stays the same.'],
  rotateTitle: [
    (label: string) => `Secret nou pentru „${label}”?`,
    (label: string) => `A new secret for “${label}”?`,
  ],
  rotateText: [
    'Secretul actual nu mai funcționează începând cu următoarea cerere. Programele care îl folosesc au nevoie de cel nou.',
    'The current secret stops working with the next request. Programs that use it need the new one.',
  ],
  rotateConfirm: ['Schimbă secretul', 'Replace the secret'],
  rotateAllTitle: ['Secrete noi pentru toate cheile?', 'New secrets for all keys?'],
  rotateAllText: [
    (count: number) =>
      `${countRomanian(count, 'cheie activă primește un secret nou', 'chei active primesc câte un secret nou')}. Cele vechi nu mai funcționează începând cu următoarea cerere. Cheile revocate nu se schimbă.`,
    (count: number) =>
      `${countEnglish(count, 'active key gets a new secret', 'active keys get a new secret each')}. The old ones stop working with the next request. Revoked keys do not change.`,
  ],
  rotateAllConfirm: ['Schimbă toate secretele', 'Replace all secrets'],
  revokeTitle: [(label: string) => `Revocați cheia „${label}”?`, (label: string) => `Revoke “${label}”?`],
  revokeText: [
    'Cererile cu această cheie sunt refuzate imediat. Revocarea este definitivă; istoricul cheii se păstrează.',
    'Requests with this key are refused at once. This cannot be undone. The key’s history is kept.',
  ],
  revokeConfirm: ['Revocă cheia', 'Revoke the key'],
  removeTitle: [(label: string) => `Ștergeți cheia „${label}”?`, (label: string) => `Delete “${label}”?`],
  removeText: [
    'Se șterg și utilizarea, și jurnalul ei. Apelurile făcute se socotesc în continuare în cota lunii.',
    'Its usage and its log are deleted too. The calls it made still count towards this month’s quota.',
  ],
  removeConfirm: ['Șterge cheia', 'Delete the key'],

  renamed: [
    (label: string) => `Cheia „${label}” a fost modificată.`,
    (label: string) => `The key “${label}” has been changed.`,
  ],
  revoked: [
    (label: string) => `Cheia „${label}” a fost revocată.`,
    (label: string) => `The key “${label}” has been revoked.`,
  ],
  removed: [
    (label: string) => `Cheia „${label}” a fost ștearsă.`,
    (label: string) => `The key “${label}” has been deleted.`,
  ],
})
