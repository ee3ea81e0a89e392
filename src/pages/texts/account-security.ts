import { textTable } from './texts.ts'

/** Password, sessions and sign-ins: `/account/security`. */
export const SECURITY_TEXTS = textTable({
  description: [
    'Parola, browserele în care sunteți autentificat și istoricul autentificărilor.',
    'Your password, the browsers in which you are signed in, and the history of sign-ins.',
  ],
  password: ['Schimbarea parolei', 'Change your password'],
  currentPassword: ['Parola actuală', 'Current password'],
  newPassword: ['Parola nouă', 'New password'],
  passwordHint: [
    'Cel puțin 10 caractere. Celelalte browsere vor fi deconectate.',
    'At least 10 characters. All other browsers will be signed out.',
  ],
  change: ['Schimbă parola', 'Change the password'],
  changed: [
    'Parola este schimbată. Celelalte browsere au fost deconectate.',
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
  end: ['Deconectează', 'Sign out'],
  endOf: [
    (device: string, ip: string) => `Deconectează: ${device}, ${ip}`,
    (device: string, ip: string) => `Sign out: ${device}, ${ip}`,
  ],
  ended: ['Sesiunea a fost încheiată.', 'The session has ended.'],
  endOthers: ['Deconectează toate celelalte', 'Sign out all others'],
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
    'Încă nicio autentificare: sesiunea a început odată cu crearea contului.',
    'No sign-ins yet: you have been signed in since you created the account.',
  ],
  at: ['Când', 'When'],
  result: ['Rezultat', 'Result'],
  success: ['reușită', 'signed in'],
  failure: ['respinsă', 'refused'],
  reasonWrongPassword: ['parolă greșită', 'wrong password'],
  reasonTooMany: ['prea multe încercări', 'too many attempts'],
  reasonCodeMissing: ['parolă corectă, fără cod', 'right password, no code'],
  reasonWrongCode: ['parolă corectă, cod greșit', 'right password, wrong code'],
  from: ['De unde', 'From'],
  device: ['Program', 'Program'],
  more: ['Arată ultimele 100', 'Show the last 100'],
})
