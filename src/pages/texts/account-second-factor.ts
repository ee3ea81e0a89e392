import { textTable } from './texts.ts'

/** The second step of signing in, on `/account/security`. */
export const FACTOR_TEXTS = textTable({
  title: ['Autentificare în doi pași', 'Two-step sign-in'],
  on: ['activă', 'on'],
  lead: [
    'Pe lângă parolă, autentificarea cere un cod de șase cifre dintr-o aplicație de pe telefon. O parolă aflată de altcineva nu mai este de ajuns.',
    'Besides the password, signing in takes a code of six digits from an app on your phone. A password that somebody else learns is then not enough.',
  ],
  required: [
    'Acest serviciu cere autentificarea în doi pași. Activați-o pentru a continua.',
    'This service requires two-step sign-in. Turn it on to continue.',
  ],
  turnOn: ['Activează', 'Turn it on'],
  password: ['Parola actuală', 'Current password'],
  next: ['Continuă', 'Continue'],
  scan: [
    'Scanați imaginea cu o aplicație de autentificare, cum sunt Aegis, FreeOTP, Google Authenticator sau managerul dumneavoastră de parole.',
    'Scan the picture with an authenticator app, such as Aegis, FreeOTP, Google Authenticator or your password manager.',
  ],
  qrCode: ['Cod QR pentru aplicația de autentificare', 'QR code for the authenticator app'],
  orType: ['Sau scrieți în aplicație acest text:', 'Or type this text into the app:'],
  secret: ['Textul pentru aplicație', 'Text for the app'],
  code: ['Codul din aplicație', 'Code of the app'],
  codeHint: ['Cele șase cifre pe care le arată acum.', 'The six digits that it shows now.'],
  anyCodeHint: ['Cele șase cifre, sau un cod de rezervă.', 'The six digits, or a recovery code.'],
  codesTitle: ['Coduri de rezervă', 'Recovery codes'],
  codesLead: [
    'Autentificarea în doi pași este activă; celelalte browsere au fost deconectate. Dacă pierdeți telefonul, intrați cu unul dintre aceste coduri. Fiecare funcționează o singură dată și nu va mai fi afișat: păstrați-le într-un loc sigur.',
    'Two-step sign-in is on; all other browsers have been signed out. If you lose the phone, sign in with one of these codes. Each works once and is not shown again: keep them in a safe place.',
  ],
  codesDone: ['Le-am păstrat', 'I have kept them'],
  onLead: [
    'La autentificare se cere și codul din aplicație sau un cod de rezervă. Pentru coduri de rezervă noi, dezactivați și activați din nou.',
    'Signing in takes the code of the app or a recovery code as well. For new recovery codes, turn it off and on again.',
  ],
  turnOff: ['Dezactivează', 'Turn it off'],
  turnOffTitle: ['Dezactivați autentificarea în doi pași?', 'Turn two-step sign-in off?'],
  turnOffText: [
    'Autentificarea va cere doar parola. Celelalte browsere vor fi deconectate.',
    'Signing in will take the password alone. All other browsers will be signed out.',
  ],
  turnedOff: ['Autentificarea în doi pași este dezactivată.', 'Two-step sign-in is off.'],
})
