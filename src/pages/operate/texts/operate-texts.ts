import { textTable } from '../../texts/texts.ts'

/** The frame of every page of the operators' desk. */
export const OPERATE_TEXTS = textTable({
  heading: ['Administrarea serviciului', 'Operating the service'],
  sections: ['Paginile administrării', 'Pages of the operators'],
  overview: ['Sumar', 'Overview'],
  accounts: ['Conturi', 'Accounts'],
  keys: ['Chei API', 'API keys'],
  plans: ['Planuri', 'Plans'],
  datasets: ['Seturi de date', 'Datasets'],
  backups: ['Copii de rezervă', 'Backups'],
  settings: ['Setări', 'Settings'],
  audit: ['Modificări', 'Audit log'],
  logs: ['Cereri', 'Request log'],
  setup: ['Configurare', 'Setup'],
  utc: ['Orele sunt în UTC.', 'Times are UTC.'],
  filter: ['Filtrați', 'Filter'],
  clear: ['Renunțați la filtre', 'Clear filters'],
  none: ['Nimic de arătat.', 'Nothing to show.'],
  pages: ['Paginile listei', 'Pages of the list'],
  previous: ['Înapoi', 'Previous'],
  next: ['Înainte', 'Next'],
  range: [
    (from: string, to: string, total: string) => `${from}–${to} din ${total}`,
    (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  ],
  limitWrong: [
    'Un număr întreg, cel puțin 0, sau gol: fără limită.',
    'A whole number from 0, or empty for no limit.',
  ],
  scopesWrong: [
    'Drepturile sunt read, read:domeniu, read:domeniu/set, publish și publish:domeniu.',
    'Scopes are read, read:domain, read:domain/dataset, publish and publish:domain.',
  ],
  scopeUnknown: [
    (scope: string, near: string) =>
      `Pentru dreptul ${scope} nu există nimic în catalog.${near && ` Ați vrut să scrieți ${near}?`}`,
    (scope: string, near: string) =>
      `The catalog has nothing for the scope ${scope}.${near && ` Did you mean ${near}?`}`,
  ],
  secretOnce: ['Secretul cheii noi', 'The secret of the new key'],
  secretOnceText: [
    'Copiați-l acum și dați-l celui care folosește cheia: nu mai este arătat niciodată.',
    'Copy it now and hand it to whoever uses the key: it is never shown again.',
  ],
  linkOnce: ['Legătura pentru parolă', 'The link for the password'],
  linkOnceText: [
    'Trimiteți-o titularului contului: cu ea își stabilește parola, o singură dată, în cel mult 24 de ore. Nu mai este arătată.',
    'Send it to the owner of the account, who sets the password with it, once, within 24 hours. It is not shown again.',
  ],
  openLink: ['Stabiliți parola acum', 'Set the password now'],
  shownOnce: ['de copiat', 'to copy'],
})

/** Shown after a form, by its operation. */
export const DONE_TEXTS = textTable({
  createAccount: [
    'Contul a fost creat, iar legătura pentru parolă a plecat prin e-mail.',
    'The account is created, and the link for the password is on its way by mail.',
  ],
  removeAccount: ['Contul a fost șters.', 'The account is deleted.'],
  setRole: ['Rolul a fost schimbat.', 'The role is changed.'],
  setAccountPlan: ['Planul contului a fost schimbat.', 'The account’s plan is changed.'],
  verifyAccount: ['Adresa este confirmată.', 'The address is confirmed.'],
  signOutAccount: [
    'Contul a fost deconectat din toate browserele.',
    'The account is signed out of every browser.',
  ],
  resetSecondFactor: ['Al doilea pas a fost dezactivat.', 'The second factor is off.'],
  setPlan: ['Planul a fost salvat.', 'The plan is saved.'],
  changeAnyKey: ['Cheia a fost modificată.', 'The key is changed.'],
  revokeAnyKey: ['Cheia a fost revocată.', 'The key is revoked.'],
  makeBackup: [
    'Copia de rezervă este în listă, sau apare acolo când este gata.',
    'The backup is in the list, or appears there when it is complete.',
  ],
})

export const ROLE_TEXTS = textTable({
  reader: ['cititor', 'reader'],
  publisher: ['editor', 'publisher'],
  operator: ['administrator', 'operator'],
})

/** `/operate/accounts` and the page of one account. */
export const ACCOUNTS_TEXTS = textTable({
  search: ['Adresa conține', 'Address contains'],
  list: ['Conturi', 'Accounts'],
  number: ['Numărul contului', 'Number of the account'],
  email: ['Adresă de e-mail', 'E-mail address'],
  name: ['Nume', 'Name'],
  organization: ['Instituție', 'Organization'],
  role: ['Rol', 'Role'],
  plan: ['Plan', 'Plan'],
  verified: ['Adresă confirmată', 'Address confirmed'],
  secondFactor: ['Al doilea pas', 'Second factor'],
  activeKeys: ['Chei active', 'Active keys'],
  sessions: ['Sesiuni deschise', 'Open sessions'],
  created: ['Cont creat', 'Created'],
  lastSignIn: ['Ultima autentificare', 'Last sign-in'],
  yes: ['da', 'yes'],
  no: ['nu', 'no'],
  history: [
    'Ce s-a făcut cu acest cont și ce a făcut el ca administrator',
    'What was done to this account, and by it as an operator',
  ],
  create: ['Un cont nou', 'A new account'],
  createText: [
    'Contul este de cititor. Titularul își stabilește parola printr-o legătură.',
    'The account is a reader. Its owner sets the password by a link.',
  ],
  createButton: ['Creați contul', 'Create the account'],
  language: ['Limba', 'Language'],
  password: ['Parola dumneavoastră', 'Your password'],
  noPassword: [
    'Se confirmă cu parola dumneavoastră, dar contul dumneavoastră nu are încă una.',
    'This needs your password, and your account has none yet.',
  ],
  setPassword: ['Stabiliți-o printr-o legătură', 'Set one by a link'],
  roleTitle: ['Schimbați rolul', 'Change the role'],
  roleText: [
    'Editorii publică seturi de date; administratorii publică peste tot și conduc serviciul. Sesiunile și cheile contului urmează imediat.',
    'Publishers publish datasets; operators publish everywhere and run the service. Sessions and keys of the account follow at once.',
  ],
  domains: ['Domeniile editorului', 'Domains of the publisher'],
  domainsHint: [
    'De exemplu: economy, health. Fără niciunul: toate domeniile.',
    'For example: economy, health. None: all domains.',
  ],
  planTitle: ['Schimbați planul', 'Change the plan'],
  planText: [
    'Cheile contului urmează imediat; niciuna nu este revocată.',
    'The keys of the account follow at once; none is revoked.',
  ],
  verify: ['Confirmați adresa', 'Confirm the address'],
  verifyText: [
    'În locul titularului, dacă știți că adresa este a lui.',
    'On the owner’s behalf, if you know that the address is theirs.',
  ],
  invite: ['Faceți o legătură pentru parolă', 'Make a link for the password'],
  inviteText: [
    'Pentru un cont care nu are încă parolă. Legătura de dinainte încetează să funcționeze.',
    'For an account that has no password yet. An earlier link stops working.',
  ],
  signOut: ['Deconectați contul', 'Sign the account out'],
  signOutText: ['Din toate browserele, imediat.', 'In every browser, at once.'],
  reset: ['Dezactivați al doilea pas', 'Turn the second factor off'],
  resetText: [
    'Pentru un titular care a pierdut telefonul și codurile. Asigurați-vă că el este cel care o cere.',
    'For an owner who lost the app and the codes. Make sure that it is the owner who asks.',
  ],
  remove: ['Ștergeți contul', 'Delete the account'],
  removeText: [
    'Cheile, sesiunile, utilizarea și jurnalul contului se șterg definitiv.',
    'Keys, sessions, usage and log of the account are deleted permanently.',
  ],
})

/** `/operate/keys`; what it shares with the account's own keys is in `KEYS_TEXTS`. */
export const OPERATED_KEYS_TEXTS = textTable({
  number: ['Număr', 'Number'],
  owner: ['A cui este', 'Owner'],
  operator: ['a administratorului', 'the operator’s'],
  mint: ['O cheie nouă', 'A new key'],
  mintText: [
    'Pentru un cont sau, cu un plan al ei, pentru administrator. Secretul este arătat o singură dată.',
    'For an account or, with a plan of its own, for the operator. Its secret is shown once.',
  ],
  planOfAccount: ['al contului', 'that of the account'],
  account: ['Numărul contului', 'Number of the account'],
  accountHint: ['Gol: cheia este a administratorului.', 'Empty: the key is the operator’s.'],
  scopesHint: [
    'Despărțite prin virgulă, de exemplu: read:economy, publish. La o cheie nouă, gol înseamnă read.',
    'Separated by commas, for example: read:economy, publish. For a new key, empty means read.',
  ],
  quotaHint: ['Gol: cât permite planul.', 'Empty: what the plan allows.'],
  expiresHint: [
    'O dată, de exemplu 2030-12-31. Gol: nu expiră.',
    'A date, for example 2030-12-31. Empty: it does not expire.',
  ],
  save: ['Salvați', 'Save'],
  revokeText: [
    'Este refuzată de acum înainte. Utilizarea ei se păstrează.',
    'It is refused from now on. Its usage stays.',
  ],
})

/** `/operate/plans`. */
export const PLANS_TEXTS = textTable({
  lead: [
    'Conturile și cheile urmează imediat o schimbare. Un câmp gol înseamnă: fără limită.',
    'A change applies to accounts and keys at once. An empty field means no limit.',
  ],
  monthly_quota: ['Apeluri pe lună', 'Calls a month'],
  per_minute: ['Cereri pe minut, de fiecare cheie', 'Requests a minute per key'],
  max_active_keys: ['Chei active ale unui cont', 'Active keys per account'],
  save: ['Salvați', 'Save'],
  create: ['Un plan nou', 'A new plan'],
  createButton: ['Creați planul', 'Create the plan'],
  name: ['Numele planului', 'Name of the plan'],
  nameHint: [
    'Litere mici, cifre și _, de exemplu: institution.',
    'Lower-case letters, digits and _, for example: institution.',
  ],
})
