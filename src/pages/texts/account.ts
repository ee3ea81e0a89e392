import { textTable } from './texts.ts'

/** The frame of every console page. */
export const ACCOUNT_TEXTS = textTable({
  heading: ['Contul dumneavoastră', 'Your account'],
  sections: ['Paginile contului', 'Pages of your account'],
  keys: ['Chei API', 'API keys'],
  usage: ['Utilizare', 'Usage'],
  logs: ['Jurnal de cereri', 'Request log'],
  security: ['Securitate', 'Security'],
  profile: ['Profil', 'Profile'],
  signOut: ['Ieșire din cont', 'Sign out'],
  loading: ['Se încarcă…', 'Loading…'],
  again: ['Încercați din nou', 'Try again'],
  refresh: ['Actualizați', 'Refresh'],
  sending: ['Se trimite…', 'Sending…'],
  cancel: ['Renunțați', 'Cancel'],
  optional: ['opțional', 'optional'],
  showPassword: ['Afișați parola', 'Show the password'],
  hidePassword: ['Ascundeți parola', 'Hide the password'],
  copied: ['Copiat.', 'Copied.'],
  fullName: ['Nume', 'Your name'],
  organization: ['Instituție', 'Organization'],
  never: ['niciodată', 'never'],
  needsScript: [
    'Paginile contului au nevoie de JavaScript, care este dezactivat în acest browser.',
    'The account pages need JavaScript, which is turned off in this browser.',
  ],
  needsScriptHint: [
    'Activați JavaScript pentru acest site și reîncărcați pagina. Catalogul, seturile de date și documentația funcționează și fără.',
    'Turn JavaScript on for this site and reload the page. The catalog, the datasets and the documentation work without it.',
  ],
  localTime: [
    (zone: string) => `Orele sunt în fusul orar al browserului (${zone}).`,
    (zone: string) => `Times are in the time zone of your browser (${zone}).`,
  ],
})

/** Errors about which the console knows more than the code says (`signed-in/refusals.ts`). */
export const REFUSAL_TEXTS = textTable({
  required: ['Completați acest câmp.', 'Fill in this field.'],
  email: [
    'Scrieți adresa de e-mail completă, ca nume@exemplu.ro.',
    'Enter a full e-mail address, such as name@example.org.',
  ],
  name: ['Cel mult 200 de caractere.', 'At most 200 characters.'],
  label: ['Un nume de 1 până la 100 de caractere.', 'A name of 1 to 100 characters.'],
  expires: ['Alegeți un moment din viitor.', 'Choose a moment in the future.'],
  scopes: [
    'Alegeți cel puțin un drept; renunțați la cele care nu mai sunt în catalog.',
    'Choose at least one scope, and remove those that are no longer in the catalog.',
  ],
  quota: [
    'Un număr întreg, cel puțin 1 și cel mult cât permite planul.',
    'A whole number, at least 1 and at most what the plan allows.',
  ],
  field: ['Valoarea nu este validă.', 'This value is not valid.'],
  passwordShort: [
    'Parola trebuie să aibă cel puțin 10 caractere.',
    'The password must have at least 10 characters.',
  ],
  passwordLong: [
    'Parola poate avea cel mult 256 de caractere.',
    'The password may have at most 256 characters.',
  ],
  passwordHasEmail: [
    'Parola nu poate conține adresa de e-mail.',
    'The password may not contain the e-mail address.',
  ],
  passwordWrong: ['Parola actuală este greșită.', 'This is not your current password.'],
  codeWrong: [
    'Codul este greșit, prea vechi sau a mai fost folosit.',
    'The code is wrong, too old or already used.',
  ],
  stale: [
    'Între timp v-ați autentificat din nou în acest browser. Reîncărcați pagina.',
    'In the meantime you have signed in again in this browser. Reload the page.',
  ],
  tooMany: [
    (wait: string) => `Prea multe încercări. Reveniți peste ${wait}.`,
    (wait: string) => `Too many attempts. Try again in ${wait}.`,
  ],
  busy: [
    (wait: string) => `Serviciul este foarte solicitat. Încercați din nou peste ${wait}.`,
    (wait: string) => `The service is very busy. Try again in ${wait}.`,
  ],
  offline: [
    'Nu am primit niciun răspuns. Verificați conexiunea la internet și încercați din nou.',
    'There was no response. Check your connection and try again.',
  ],
  failed: [
    'A apărut o eroare a serviciului. Încercați din nou; dacă se repetă, comunicați administratorului numărul cererii:',
    'Something went wrong on our side. Try again; if it happens again, tell the operator the request id:',
  ],
})

/** Signing in and up, confirming the address, and setting a new password by mail. */
export const ENTRY_TEXTS = textTable({
  email: ['Adresă de e-mail', 'E-mail address'],
  password: ['Parolă', 'Password'],
  newPassword: ['Parolă nouă', 'New password'],
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
    'Pagina de publicare cere un cont căruia administratorul serviciului i-a acordat dreptul de a publica.',
    'The publishing page needs an account to which the operator of the service has given the right to publish.',
  ],
  loginOnDesktop: [
    'Pe acest calculator nu aveți nevoie de parolă: porniți din nou Izvor, ca prima dată.',
    'On this computer you need no password: start Izvor again, as you did the first time.',
  ],
  loginButton: ['Intrați în cont', 'Sign in'],
  code: ['Cod', 'Code'],
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
  signupButton: ['Creați contul', 'Create the account'],
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
    'Acest serviciu nu trimite mesaje. Scrieți adresa de e-mail a contului: legătura pentru o parolă nouă se scrie în jurnalul serviciului, de unde v-o poate da administratorul.',
    'This service sends no e-mail. Enter the e-mail address of your account: a link to choose a new password is written to the log of the service, and its operator can hand it to you.',
  ],
  forgotButtonWithoutMail: ['Cereți o legătură', 'Request a link'],
  forgotButton: ['Cereți legătura', 'Send the link'],
  forgotDone: ['Verificați căsuța de e-mail', 'Check your e-mail'],
  forgotDoneText: [
    (email: string) =>
      `Dacă există un cont cu adresa ${email}, veți primi un mesaj cu o legătură. Legătura funcționează o singură dată, timp de 30 de minute.`,
    (email: string) =>
      `If there is an account with the address ${email}, an e-mail with a link is on its way. The link works once and expires after 30 minutes.`,
  ],
  forgotDoneWithoutMail: ['Cereți administratorului legătura', 'Ask the operator for the link'],
  forgotDoneTextWithoutMail: [
    (email: string) =>
      `Nu s-a trimis niciun mesaj. Dacă există un cont cu adresa ${email}, legătura este în jurnalul serviciului. Funcționează o singură dată, timp de 30 de minute.`,
    (email: string) =>
      `No e-mail was sent. If there is an account with the address ${email}, the link is in the log of the service. It works once and expires after 30 minutes.`,
  ],
  backToLogin: ['Înapoi la autentificare', 'Back to sign-in'],

  reset: ['Alegeți o parolă nouă', 'Choose a new password'],
  resetLead: [
    'După aceea vă autentificați cu ea. Toate browserele vor fi deconectate; cheile API rămân valabile.',
    'You then sign in with it. All browsers will be signed out; API keys keep working.',
  ],
  resetButton: ['Salvați parola', 'Save the password'],

  verify: ['Confirmarea adresei', 'Confirm your address'],
  verifyLead: [
    'Confirmați că adresa la care ați primit mesajul vă aparține.',
    'Confirm that the address that received the e-mail is yours.',
  ],
  verifyButton: ['Confirmați adresa', 'Confirm the address'],
  verified: ['Adresa este confirmată. Mulțumim!', 'The address is confirmed. Thank you!'],
  toAccount: ['Mergeți la cont', 'Go to your account'],

  linkBroken: ['Legătura este incompletă', 'The link is incomplete'],
  linkBrokenText: [
    'Deschideți din nou legătura din mesaj sau copiați-o întreagă în bara de adrese.',
    'Open the link in the e-mail again, or copy all of it into the address bar.',
  ],
  anotherReset: ['Cereți altă legătură', 'Request another link'],
  anotherVerify: [
    'Puteți cere altă legătură din pagina Profil, după autentificare.',
    'You can request another link on the Profile page after signing in.',
  ],

  noteDeleted: [
    'Contul a fost șters, cu tot ce se păstra despre dumneavoastră.',
    'Your account and everything stored about you have been deleted.',
  ],
  noteReset: [
    'Parola nouă a fost salvată. Autentificați-vă cu ea.',
    'The new password is saved. Sign in with it.',
  ],
  noteEnded: ['Sesiunea s-a încheiat. Autentificați-vă din nou.', 'Your session has ended. Sign in again.'],
  noteGone: ['Ați ieșit din cont.', 'You are signed out.'],
})
