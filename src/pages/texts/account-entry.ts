import { textTable } from './texts.ts'

/** Signing in and up, confirming the address, and setting a new password by mail. */
export const ENTRY_TEXTS = textTable({
  email: ['Adresa de e-mail', 'E-mail address'],
  password: ['Parola', 'Password'],
  newPassword: ['Parola nouă', 'New password'],
  passwordHint: [
    'Cel puțin 10 caractere. Câteva cuvinte fără legătură între ele fac o parolă bună.',
    'At least 10 characters. Several unrelated words make a good password.',
  ],

  login: ['Autentificare', 'Sign in'],
  loginDescription: [
    'Intrați în cont pentru a vedea cheile API și utilizarea lor.',
    'Sign in to see your API keys and their usage.',
  ],
  loginToPublish: [
    'Pe pagina de publicare se intră cu un cont căruia administratorul serviciului i-a dat dreptul de a publica.',
    'The publishing page needs an account to which the operator of the service has given the right to publish.',
  ],
  loginButton: ['Intră în cont', 'Sign in'],
  code: ['Codul', 'Code'],
  secondStepLead: [
    'Scrieți cele șase cifre din aplicația de autentificare sau un cod de rezervă.',
    'Enter the six digits of your authenticator app, or a recovery code.',
  ],
  secondStepLost: [
    'Ați pierdut și aplicația, și codurile de rezervă? Administratorul serviciului poate dezactiva acest pas.',
    'Have you lost both the app and the recovery codes? The operator of the service can turn this step off.',
  ],
  forgotLink: ['Ați uitat parola?', 'Forgot your password?'],
  noAccount: ['Nu aveți cont?', 'No account yet?'],
  signupLink: ['Creați unul', 'Create one'],

  signup: ['Cont nou', 'New account'],
  signupDescription: [
    'Un cont gratuit cu chei API pentru toate seturile de date.',
    'A free account with API keys for every dataset.',
  ],
  signupButton: ['Creează contul', 'Create the account'],
  haveAccount: ['Aveți deja cont?', 'Already have an account?'],
  loginLink: ['Autentificați-vă', 'Sign in'],
  benefits: ['Cu un cont', 'With an account'],
  benefitKeys: [
    'aveți chei API pentru toate seturile de date, pe care le schimbați și le revocați oricând;',
    'you get API keys for every dataset, which you can replace and revoke at any time;',
  ],
  benefitUsage: [
    'vedeți consumul pe zile și pe chei și fiecare cerere, cu timpul ei de răspuns;',
    'you see your usage by day and by key, and every request with its response time;',
  ],
  benefitData: [
    'descărcați sau ștergeți oricând tot ce se păstrează despre dumneavoastră.',
    'you can download or delete everything stored about you at any time.',
  ],
  noCookies: [
    'Singurul cookie este cel al sesiunii. Catalogul se poate folosi și fără cont.',
    'The session cookie is the only cookie. The catalog works without an account.',
  ],

  forgot: ['Parolă nouă', 'New password'],
  forgotLead: [
    'Scrieți adresa de e-mail a contului. Vă trimitem o legătură cu care alegeți o parolă nouă.',
    'Enter the e-mail address of your account. We will send you a link to choose a new password.',
  ],
  forgotLeadWithoutMail: [
    'Acest serviciu nu trimite mesaje. Scrieți adresa de e-mail a contului: o legătură pentru o parolă nouă va fi scrisă în jurnalul serviciului, de unde v-o poate da administratorul.',
    'This service sends no e-mail. Enter the e-mail address of your account: a link to choose a new password is written to the log of the service, and its operator can hand it to you.',
  ],
  forgotButtonWithoutMail: ['Cere o legătură', 'Request a link'],
  forgotButton: ['Trimite legătura', 'Send the link'],
  forgotDone: ['Verificați căsuța de e-mail', 'Check your e-mail'],
  forgotDoneText: [
    (email: string) =>
      `Dacă există un cont cu adresa ${email}, veți primi un mesaj cu o legătură. Legătura funcționează o singură dată, timp de 30 de minute.`,
    (email: string) =>
      `If there is an account with the address ${email}, an e-mail with a link is on its way. The link works once and expires after 30 minutes.`,
  ],
  forgotDoneWithoutMail: ['Cereți legătura administratorului', 'Ask the operator for the link'],
  forgotDoneTextWithoutMail: [
    (email: string) =>
      `Nu s-a trimis niciun mesaj. Dacă există un cont cu adresa ${email}, legătura este în jurnalul serviciului. Funcționează o singură dată, timp de 30 de minute.`,
    (email: string) =>
      `No e-mail was sent. If there is an account with the address ${email}, the link is in the log of the service. It works once and expires after 30 minutes.`,
  ],
  backToLogin: ['Înapoi la autentificare', 'Back to sign-in'],

  reset: ['Alegeți o parolă nouă', 'Choose a new password'],
  resetLead: [
    'Apoi vă autentificați cu ea. Toate browserele vor fi deconectate; cheile API rămân valabile.',
    'You then sign in with it. All browsers will be signed out; API keys keep working.',
  ],
  resetButton: ['Salvează parola', 'Save the password'],

  verify: ['Confirmarea adresei', 'Confirm your address'],
  verifyLead: [
    'Confirmați că adresa la care ați primit mesajul vă aparține.',
    'Confirm that the address that received the e-mail is yours.',
  ],
  verifyButton: ['Confirmă adresa', 'Confirm the address'],
  verified: ['Adresa este confirmată. Mulțumim!', 'The address is confirmed. Thank you!'],
  toAccount: ['Mergi la cont', 'Go to your account'],

  linkBroken: ['Legătura este incompletă', 'The link is incomplete'],
  linkBrokenText: [
    'Deschideți din nou legătura din mesaj sau copiați-o întreagă în bara de adrese.',
    'Open the link in the e-mail again, or copy all of it into the address bar.',
  ],
  anotherReset: ['Cere o altă legătură', 'Request another link'],
  anotherVerify: [
    'Puteți cere altă legătură din pagina Profil, după autentificare.',
    'You can request another link on the Profile page after signing in.',
  ],

  noteDeleted: [
    'Contul a fost șters, cu tot ce se păstra despre dumneavoastră.',
    'Your account and everything stored about you have been deleted.',
  ],
  noteReset: [
    'Parola nouă este salvată. Autentificați-vă cu ea.',
    'The new password is saved. Sign in with it.',
  ],
  noteEnded: ['Sesiunea s-a încheiat. Autentificați-vă din nou.', 'Your session has ended. Sign in again.'],
  noteGone: ['Ați ieșit din cont.', 'You are signed out.'],
})
