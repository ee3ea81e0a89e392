import { textTable } from './texts.ts'

/** When a dataset is fetched again: `/publish/datasets/{id}`. */
export const SCHEDULE_TEXTS = textTable({
  title: ['Actualizare automată', 'Automatic refresh'],
  text: [
    'Dacă fișierul se află la o adresă, serviciul îl preia singur și publică edițiile noi, citite ca ultima dată.',
    'If the file is at an address, the service fetches it and publishes new editions by itself, read as the last one.',
  ],
  address: ['Adresa fișierului', 'Address of the file'],
  addressHint: [
    'O adresă care începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    'An address that begins with https://, or ckan:https:// for a CKAN package',
  ],
  when: ['Când se preia', 'When it is fetched'],
  daily: ['în fiecare noapte (ora 4 UTC)', 'every night (4:00 UTC)'],
  weekly: ['în fiecare luni (ora 4 UTC)', 'every Monday (4:00 UTC)'],
  monthly: ['în prima zi a lunii (ora 4 UTC)', 'on the first day of the month (4:00 UTC)'],
  other: ['alt program…', 'another schedule…'],
  pattern: ['Programul, ca expresie cron în UTC', 'The schedule, as a cron pattern in UTC'],
  patternHint: [
    'Minut, oră, zi, lună, zi a săptămânii: 30 5 * * 1-5 înseamnă ora 5:30, de luni până vineri.',
    'Minute, hour, day, month, day of the week: 30 5 * * 1-5 is 5:30 from Monday to Friday.',
  ],
  save: ['Salvează programul', 'Save the schedule'],
  saved: ['Programul este salvat.', 'The schedule is saved.'],
  end: ['Oprește actualizarea automată', 'Stop the automatic refresh'],
  ended: ['Actualizarea automată este oprită.', 'The automatic refresh has ended.'],
  checked: ['Ultima verificare:', 'Last checked:'],
  next: ['Următoarea:', 'Next:'],
  byHand: ['Fără program: se preia numai la cerere.', 'No schedule: it is fetched on request only.'],
  failed: ['nu a reușit', 'failed'],
})
