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
  again: ['Încearcă din nou', 'Try again'],
  refresh: ['Actualizează', 'Refresh'],
  sending: ['Se trimite…', 'Sending…'],
  cancel: ['Renunță', 'Cancel'],
  optional: ['opțional', 'optional'],
  showPassword: ['Arată parola', 'Show the password'],
  hidePassword: ['Ascunde parola', 'Hide the password'],
  copied: ['Copiat.', 'Copied.'],
  fullName: ['Numele', 'Your name'],
  organization: ['Instituția', 'Organization'],
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
    (zone: string) => `Orele sunt cele ale browserului (${zone}).`,
    (zone: string) => `Times are those of your browser (${zone}).`,
  ],
})

/** Errors about which the console knows more than their code says (`signed-in/refusals.ts`). */
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
    'Scrieți una sau mai multe dintre: read, read:domeniu, read:domeniu/set, publish, publish:domeniu.',
    'Enter one or more of: read, read:domain, read:domain/dataset, publish, publish:domain.',
  ],
  quota: [
    'Un număr întreg de la 1, cel mult cât permite planul.',
    'A whole number from 1, at most what the plan allows.',
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
    'The code is wrong, too old, or was used already.',
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
    (wait: string) => `Serviciul este foarte ocupat. Încercați din nou peste ${wait}.`,
    (wait: string) => `The service is very busy. Try again in ${wait}.`,
  ],
  offline: [
    'Nu am primit niciun răspuns. Verificați conexiunea la internet și încercați din nou.',
    'There was no response. Check your connection and try again.',
  ],
  failed: [
    'A apărut o eroare la noi. Încercați din nou; dacă se repetă, comunicați-ne numărul cererii:',
    'Something went wrong on our side. Try again; if it happens again, tell us the request id:',
  ],
})
