import { countEnglish, countRomanian } from '../parts/format.ts'
import { textTable } from './texts.ts'

/** Keys: `/account`. */
export const KEYS_TEXTS = textTable(
  {
    description: 'Cheile API ale contului: creare, secret nou, revocare, ștergere.',
    verifyFirst: (email: string) =>
      `V-am trimis un mesaj la ${email}: deschideți legătura din el pentru a confirma adresa.`,
    plan: 'Plan',
    used: (count: string, quota: number) =>
      `${count} din ${countRomanian(quota, 'apel', 'apeluri')} luna aceasta`,
    usedUnlimited: (count: number) => `${countRomanian(count, 'apel', 'apeluri')} luna aceasta, fără limită`,
    active: (count: number, most: number | null) =>
      most === null
        ? countRomanian(count, 'cheie activă', 'chei active')
        : `${count} din ${countRomanian(most, 'cheie activă', 'chei active')}`,
    newKey: 'O cheie nouă',
    label: 'Numele cheii',
    labelHint: 'Pentru ce o folosiți, de exemplu: „Portal de mobilitate”.',
    mint: 'Creează cheia',
    list: 'Cheile dumneavoastră',
    none: 'Încă nu aveți nicio cheie. Dați un nume primei chei și creați-o; primiți imediat o cerere gata de lipit în terminal.',
    stateActive: 'activă',
    stateRevoked: 'revocată',
    planOwn: (plan: string) => `plan propriu: ${plan}`,
    created: 'Creată',
    rotated: 'Secret schimbat',
    revokedAt: 'Revocată',
    lastUsed: 'Folosită ultima oară',
    calls: 'Apeluri',
    callsOf: (month: string, day: string) => `${month} luna aceasta, ${day} astăzi`,
    rename: 'Redenumește',
    rotate: 'Secret nou',
    revoke: 'Revocă',
    remove: 'Șterge',
    actionOf: (action: string, label: string) => `${action}: ${label}`,
    rotateAll: 'Secrete noi pentru toate cheile',

    secretTitle: (label: string) => `Secretul cheii „${label}”`,
    secretsTitle: 'Secretele noi',
    secretOnce:
      'Copiați-l acum: se arată o singură dată. Serviciul păstrează doar o amprentă din care nu se poate reface.',
    secretsOnce: 'Copiați-le acum: se arată o singură dată. Cele vechi nu mai funcționează.',
    secret: 'Secretul',
    curl: 'Cererea cu curl',
    tryIt: 'Prima cerere, gata de lipit în terminal:',
    secretDone: 'Am copiat, ascunde',
    noneRotated: 'Nu există chei active.',

    renameTitle: (label: string) => `Redenumirea cheii „${label}”`,
    renameText: 'Secretul rămâne același.',
    rotateTitle: (label: string) => `Secret nou pentru „${label}”?`,
    rotateText:
      'Secretul de acum nu mai funcționează de la următoarea cerere. Programele care îl folosesc trebuie să îl primească pe cel nou.',
    rotateConfirm: 'Schimbă secretul',
    rotateAllTitle: 'Secrete noi pentru toate cheile?',
    rotateAllText: (count: number) =>
      `${countRomanian(count, 'cheie activă primește un secret nou', 'chei active primesc câte un secret nou')}. Cele vechi nu mai funcționează de la următoarea cerere. Cheile revocate rămân cum sunt.`,
    rotateAllConfirm: 'Schimbă toate secretele',
    revokeTitle: (label: string) => `Revocați cheia „${label}”?`,
    revokeText: 'Cererile cu această cheie sunt refuzate imediat și nu se poate reveni. Istoricul ei rămâne.',
    revokeConfirm: 'Revocă cheia',
    removeTitle: (label: string) => `Ștergeți cheia „${label}”?`,
    removeText: 'Dispar și apelurile și jurnalul ei. Apelurile făcute rămân socotite în cota lunii.',
    removeConfirm: 'Șterge cheia',

    renamed: (label: string) => `Cheia se numește acum „${label}”.`,
    revoked: (label: string) => `Cheia „${label}” a fost revocată.`,
    removed: (label: string) => `Cheia „${label}” a fost ștearsă.`,
  },
  {
    description: 'The API keys of the account: make, replace, revoke, delete.',
    verifyFirst: (email: string) =>
      `We sent a mail to ${email}: open the link in it to confirm your address.`,
    plan: 'Plan',
    used: (count: string, quota: number) => `${count} of ${countEnglish(quota, 'call', 'calls')} this month`,
    usedUnlimited: (count: number) => `${countEnglish(count, 'call', 'calls')} this month, no limit`,
    active: (count: number, most: number | null) =>
      most === null
        ? countEnglish(count, 'active key', 'active keys')
        : `${count} of ${countEnglish(most, 'active key', 'active keys')}`,
    newKey: 'A new key',
    label: 'Name of the key',
    labelHint: 'What you use it for, for example “Mobility portal”.',
    mint: 'Create the key',
    list: 'Your keys',
    none: 'You have no key yet. Name your first one and create it; you get a request to paste into a terminal at once.',
    stateActive: 'active',
    stateRevoked: 'revoked',
    planOwn: (plan: string) => `own plan: ${plan}`,
    created: 'Created',
    rotated: 'Secret replaced',
    revokedAt: 'Revoked',
    lastUsed: 'Last used',
    calls: 'Calls',
    callsOf: (month: string, day: string) => `${month} this month, ${day} today`,
    rename: 'Rename',
    rotate: 'New secret',
    revoke: 'Revoke',
    remove: 'Delete',
    actionOf: (action: string, label: string) => `${action}: ${label}`,
    rotateAll: 'New secrets for all keys',

    secretTitle: (label: string) => `The secret of “${label}”`,
    secretsTitle: 'The new secrets',
    secretOnce:
      'Copy it now: it is shown once. The service keeps only a fingerprint that it cannot be made from.',
    secretsOnce: 'Copy them now: they are shown once. The old ones no longer work.',
    secret: 'The secret',
    curl: 'The request with curl',
    tryIt: 'The first request, ready to paste into a terminal:',
    secretDone: 'Copied, hide it',
    noneRotated: 'There are no active keys.',

    renameTitle: (label: string) => `Rename “${label}”`,
    renameText: 'The secret stays the same.',
    rotateTitle: (label: string) => `A new secret for “${label}”?`,
    rotateText:
      'The present secret stops working from the next request on. Programs that use it must be given the new one.',
    rotateConfirm: 'Replace the secret',
    rotateAllTitle: 'New secrets for all keys?',
    rotateAllText: (count: number) =>
      `${countEnglish(count, 'active key gets a new secret', 'active keys get a new secret each')}. The old ones stop working from the next request on. Revoked keys stay as they are.`,
    rotateAllConfirm: 'Replace all secrets',
    revokeTitle: (label: string) => `Revoke “${label}”?`,
    revokeText: 'Requests with this key are refused at once, and there is no way back. Its history stays.',
    revokeConfirm: 'Revoke the key',
    removeTitle: (label: string) => `Delete “${label}”?`,
    removeText: 'Its calls and its log go with it. The calls it made still count in the quota of the month.',
    removeConfirm: 'Delete the key',

    renamed: (label: string) => `The key is now called “${label}”.`,
    revoked: (label: string) => `The key “${label}” is revoked.`,
    removed: (label: string) => `The key “${label}” is deleted.`,
  },
)
