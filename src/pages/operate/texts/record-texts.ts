import { textTable } from '../../texts/texts.ts'

/** `/operate/audit` and `/operate/logs`; what these share with the account's own log is in `LOGS_TEXTS`. */
export const RECORDS_TEXTS = textTable({
  auditLead: [
    'Ce s-a făcut cu conturi, chei, planuri și seturi de date, și cine a făcut-o; cele mai noi întâi.',
    'What was done to accounts, keys, plans and datasets, and by whom; newest first.',
  ],
  logsLead: [
    'Cererile cu cheie ale tuturor, cele mai noi întâi. Cuprind adresele unor oameni: fiecare citire rămâne în jurnalul modificărilor.',
    'All requests with a key, newest first. They hold people’s addresses, so each reading is recorded in the audit log.',
  ],
  filters: ['Filtre', 'Filters'],
  any: ['toate', 'all'],
  audit: ['Jurnalul modificărilor', 'Audit log'],
  at: ['Când', 'When'],
  event: ['Ce', 'What'],
  by: ['Cine', 'Who'],
  about: ['Despre', 'About'],
  detail: ['Amănunte', 'Details'],
  account: ['contul', 'account'],
  accountNumber: ['Numărul contului', 'Number of the account'],
  keyNumber: [(id: number) => `cheia ${id}`, (id: number) => `key ${id}`],
  keyFilter: ['Numărul cheii', 'Number of the key'],
})

export const ACTOR_TEXTS = textTable({
  operator: ['administratorul', 'operator'],
  account: ['titularul', 'its owner'],
  service: ['serviciul', 'the service'],
  shell: ['linia de comandă', 'the shell'],
})

/** What the audit log records, by its names. */
export const EVENT_TEXTS = textTable({
  account_created: ['cont creat', 'account created'],
  account_invited: ['legătură pentru parolă', 'link for a password'],
  account_deleted: ['cont șters', 'account deleted'],
  account_plan_changed: ['planul contului schimbat', 'plan of an account changed'],
  account_role_changed: ['rol schimbat', 'role changed'],
  email_verified: ['adresă confirmată', 'address confirmed'],
  password_changed: ['parolă schimbată', 'password changed'],
  password_reset: ['parolă stabilită din nou', 'password reset'],
  password_reset_requested: ['parolă nouă cerută', 'password reset requested'],
  second_factor_on: ['al doilea pas activat', 'second factor turned on'],
  second_factor_off: ['al doilea pas dezactivat', 'second factor turned off'],
  recovery_code_used: ['cod de recuperare folosit', 'recovery code used'],
  sign_in_blocked: ['autentificare blocată', 'sign-in blocked'],
  session_revoked: ['sesiune încheiată', 'session ended'],
  sessions_revoked: ['sesiuni încheiate', 'sessions ended'],
  key_minted: ['cheie emisă', 'key minted'],
  key_changed: ['cheie modificată', 'key changed'],
  key_rotated: ['secret de cheie înlocuit', 'key rotated'],
  key_revoked: ['cheie revocată', 'key revoked'],
  key_deleted: ['cheie ștearsă', 'key deleted'],
  plan_changed: ['plan schimbat', 'plan changed'],
  mail_given_up: ['mesaj netrimis', 'mail given up'],
  dataset_published: ['set de date publicat', 'dataset published'],
  dataset_changed: ['set de date modificat', 'dataset changed'],
  dataset_served: ['altă versiune în uz', 'another version served'],
  dataset_scheduled: ['actualizare programată', 'refresh scheduled'],
  dataset_removed: ['set de date retras', 'dataset removed'],
  versions_dropped: ['versiuni șterse', 'versions dropped'],
  backup_started: ['copie de rezervă pornită', 'backup started'],
  request_log_read: ['jurnalul cererilor citit', 'request log read'],
  settings_changed: ['setări schimbate', 'settings changed'],
})
