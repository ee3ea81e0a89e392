import { countEnglish, countRomanian, textTable } from './texts.ts'

/** Keys: `/account`. */
export const KEYS_TEXTS = textTable({
  description: [
    'Cheile API ale contului: creare, secret nou, revocare și ștergere.',
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
  more: ['Termen, drepturi, cotă', 'Expiry, scopes, quota'],
  expires: ['Expiră', 'Expires'],
  expiresHint: [
    'Din acest moment cheia nu mai funcționează; dacă serviciul trimite mesaje, vă scriem cu 14 și cu 3 zile înainte. Gol: nu expiră.',
    'From this moment on the key no longer works; where the service sends mail, we write to you 14 and 3 days before. Empty: it does not expire.',
  ],
  scopes: ['Drepturi', 'Scopes'],
  scopesHint: [
    'Ce poate face cheia. Celelalte date nu sunt vizibile pentru ea.',
    'What the key may do. It does not see any other data.',
  ],
  scopeGone: ['nu mai este în catalog:', 'no longer in the catalog:'],
  readAll: ['Citirea tuturor datelor', 'Read all data'],
  readDomain: [
    (domain: string) => `Citirea domeniului ${domain}`,
    (domain: string) => `Read the domain ${domain}`,
  ],
  readSome: [
    (domain: string) => `Numai unele seturi de date din ${domain}`,
    (domain: string) => `Only some datasets of ${domain}`,
  ],
  publishAll: ['Publicarea în toate domeniile', 'Publish in all domains'],
  publishDomain: [
    (domain: string) => `Publicarea în domeniul ${domain}`,
    (domain: string) => `Publish in the domain ${domain}`,
  ],
  quota: ['Apeluri pe lună', 'Calls per month'],
  quotaHint: [
    'Câte dintre apelurile contului poate folosi cheia, cel mult. Gol: toate.',
    'How many of the calls of the account the key may use, at most. Empty: all of them.',
  ],
  mint: ['Creați cheia', 'Create the key'],
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
  rename: ['Modificați', 'Edit'],
  rotate: ['Secret nou', 'New secret'],
  revoke: ['Revocați', 'Revoke'],
  remove: ['Ștergeți', 'Delete'],
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
  secret: ['Secret', 'The secret'],
  curl: ['Cererea cu curl', 'The request with curl'],
  tryIt: ['Prima cerere, gata de lipit în terminal:', 'The first request, ready to paste into a terminal:'],
  secretDone: ['Am copiat, ascundeți', 'Copied, hide it'],
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
  rotateConfirm: ['Schimbați secretul', 'Replace the secret'],
  rotateAllTitle: ['Secrete noi pentru toate cheile?', 'New secrets for all keys?'],
  rotateAllText: [
    (count: number) =>
      `${count === 1 ? 'O cheie activă primește un secret nou' : countRomanian(count, 'cheie activă', 'chei active primesc câte un secret nou')}. Cele vechi nu mai funcționează începând cu următoarea cerere. Cheile revocate nu se schimbă.`,
    (count: number) =>
      `${countEnglish(count, 'active key gets a new secret', 'active keys get a new secret each')}. The old ones stop working with the next request. Revoked keys do not change.`,
  ],
  rotateAllConfirm: ['Schimbați toate secretele', 'Replace all secrets'],
  revokeTitle: [(label: string) => `Revocați cheia „${label}”?`, (label: string) => `Revoke “${label}”?`],
  revokeText: [
    'Cererile cu această cheie sunt refuzate imediat. Revocarea este definitivă; istoricul cheii se păstrează.',
    'Requests with this key are refused at once. This cannot be undone. The key’s history is kept.',
  ],
  revokeConfirm: ['Revocați cheia', 'Revoke the key'],
  removeTitle: [(label: string) => `Ștergeți cheia „${label}”?`, (label: string) => `Delete “${label}”?`],
  removeText: [
    'Se șterg și utilizarea, și jurnalul ei. Apelurile făcute cu ea se socotesc în continuare în cota lunii.',
    'Its usage and its log are deleted too. The calls it made still count towards this month’s quota.',
  ],
  removeConfirm: ['Ștergeți cheia', 'Delete the key'],

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

/** Password, sessions and sign-ins: `/account/security`. */
export const SECURITY_TEXTS = textTable({
  description: [
    'Parola, browserele în care este deschis contul și istoricul autentificărilor.',
    'Your password, the browsers in which you are signed in, and the history of sign-ins.',
  ],
  password: ['Schimbarea parolei', 'Change your password'],
  currentPassword: ['Parolă actuală', 'Current password'],
  newPassword: ['Parolă nouă', 'New password'],
  passwordHint: [
    'Cel puțin 10 caractere. Celelalte browsere vor fi deconectate.',
    'At least 10 characters. All other browsers will be signed out.',
  ],
  change: ['Schimbați parola', 'Change the password'],
  changed: [
    'Parola a fost schimbată. Celelalte browsere au fost deconectate.',
    'The password has been changed. All other browsers have been signed out.',
  ],

  sessions: ['Sesiuni deschise', 'Open sessions'],
  sessionsLead: [
    'Browserele în care este deschis contul. O sesiune se încheie la 30 de zile după ultima folosire, cel târziu la 90 de zile după autentificare.',
    'The browsers in which your account is open. A session ends 30 days after its last use, at the latest 90 days after signing in.',
  ],
  current: ['acest browser', 'this browser'],
  unknownDevice: ['program necunoscut', 'unknown program'],
  since: ['De la', 'Since'],
  lastSeen: ['folosită ultima oară', 'last used'],
  end: ['Deconectați', 'Sign out'],
  endOf: [
    (device: string, ip: string) => `Deconectați: ${device}, ${ip}`,
    (device: string, ip: string) => `Sign out: ${device}, ${ip}`,
  ],
  ended: ['Sesiunea a fost încheiată.', 'The session has ended.'],
  endOthers: ['Deconectați toate celelalte', 'Sign out all others'],
  endOthersTitle: ['Deconectați toate celelalte browsere?', 'Sign out all other browsers?'],
  endOthersText: [
    'Rămâne deschisă doar sesiunea din acest browser. Cheile API nu sunt afectate.',
    'Only the session in this browser stays open. API keys are not affected.',
  ],
  othersEnded: ['Toate celelalte sesiuni au fost încheiate.', 'All other sessions have ended.'],

  signIns: ['Autentificări', 'Sign-ins'],
  signInsLead: [
    'Încercările de a intra în cont, cele mai noi întâi.',
    'Attempts to sign in to the account, newest first.',
  ],
  noSignIns: [
    'Nicio autentificare încă: sesiunea a început odată cu crearea contului.',
    'No sign-ins yet: you have been signed in since you created the account.',
  ],
  at: ['Când', 'When'],
  result: ['Rezultat', 'Result'],
  success: ['reușită', 'signed in'],
  failure: ['eșuată', 'failed'],
  reasonWrongPassword: ['parolă greșită', 'wrong password'],
  reasonTooMany: ['prea multe încercări', 'too many attempts'],
  reasonCodeMissing: ['parolă corectă, fără cod', 'right password, no code'],
  reasonWrongCode: ['parolă corectă, cod greșit', 'right password, wrong code'],
  from: ['De unde', 'From'],
  device: ['Program', 'Program'],
})

/** The second step of signing in, on `/account/security`. */
export const FACTOR_TEXTS = textTable({
  title: ['Autentificare în doi pași', 'Two-step sign-in'],
  on: ['activă', 'on'],
  lead: [
    'Pe lângă parolă, autentificarea cere un cod de șase cifre dintr-o aplicație de pe telefon. O parolă aflată de altcineva nu mai este de ajuns.',
    'Besides the password, signing in takes a six-digit code from an app on your phone. Knowing your password is then not enough for somebody else.',
  ],
  required: [
    'Acest serviciu cere autentificarea în doi pași. Activați-o pentru a continua.',
    'This service requires two-step sign-in. Turn it on to continue.',
  ],
  turnOn: ['Activați', 'Turn it on'],
  password: ['Parolă actuală', 'Current password'],
  next: ['Continuați', 'Continue'],
  scan: [
    'Scanați imaginea cu o aplicație de autentificare, cum sunt Aegis, FreeOTP, Google Authenticator sau managerul dumneavoastră de parole.',
    'Scan the picture with an authenticator app, such as Aegis, FreeOTP, Google Authenticator or your password manager.',
  ],
  qrCode: ['Cod QR pentru aplicația de autentificare', 'QR code for the authenticator app'],
  orType: ['Sau scrieți în aplicație acest text:', 'Or type this text into the app:'],
  secret: ['Textul pentru aplicație', 'Text for the app'],
  code: ['Codul din aplicație', 'Code from the app'],
  codeHint: ['Cele șase cifre pe care le arată acum.', 'The six digits that it shows now.'],
  anyCodeHint: ['Cele șase cifre sau un cod de rezervă.', 'The six digits or a recovery code.'],
  codesTitle: ['Coduri de rezervă', 'Recovery codes'],
  codesLead: [
    'Autentificarea în doi pași este activă; celelalte browsere au fost deconectate. Dacă pierdeți telefonul, intrați cu unul dintre aceste coduri. Fiecare funcționează o singură dată și nu va mai fi afișat: păstrați-le într-un loc sigur.',
    'Two-step sign-in is on; all other browsers have been signed out. If you lose the phone, sign in with one of these codes. Each works once and is not shown again: keep them in a safe place.',
  ],
  codesDone: ['Le-am păstrat', 'I have kept them'],
  onLead: [
    'La autentificare se cere și codul din aplicație sau un cod de rezervă. Pentru coduri de rezervă noi, dezactivați autentificarea în doi pași și activați-o din nou.',
    'Signing in also takes the code from the app or a recovery code. For new recovery codes, turn it off and on again.',
  ],
  turnOff: ['Dezactivați', 'Turn it off'],
  turnOffTitle: ['Dezactivați autentificarea în doi pași?', 'Turn two-step sign-in off?'],
  turnOffText: [
    'Autentificarea va cere doar parola. Celelalte browsere vor fi deconectate.',
    'Signing in will take the password alone. All other browsers will be signed out.',
  ],
  turnedOff: ['Autentificarea în doi pași este dezactivată.', 'Two-step sign-in is off.'],
})
