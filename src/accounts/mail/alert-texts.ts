/**
 * Mails to the operator (`upkeep/alerts/`): one when something is wrong and one when it is over. Words in braces are facts
 * of the mail, from `upkeep/alerts/problems.ts`.
 */

import type { Language } from '../../base/text/language.ts'
import type { AlertMailKind } from './queue.ts'

interface AlertText {
  readonly subject: string
  /** Paragraphs. */
  readonly before: readonly string[]
}

const ENGLISH: Readonly<Record<AlertMailKind, AlertText>> = {
  ingest_refused: {
    subject: 'A file for {subject} was refused',
    before: [
      'A file for the dataset {subject} (domain {domain}) was refused at {host} ({since} UTC). What was served stays served.',
      '{reason}',
    ],
  },
  ingest_refused_over: {
    subject: 'The refused file for {subject} is settled',
    before: [
      'A file for the dataset {subject} was refused at {host} ({since} UTC). Since then a file was published, the draft was changed or removed, the dataset was removed, or 30 days have passed.',
    ],
  },
  refresh_failed: {
    subject: 'The refresh of {subject} failed',
    before: [
      'The dataset {subject} could not be fetched again and published at {host} ({since} UTC). What was served stays served and becomes outdated.',
      '{reason}',
      'izvor datasets show {subject}',
    ],
  },
  refresh_failed_over: {
    subject: 'The refresh of {subject} works again',
    before: [
      'The refresh of the dataset {subject} at {host} failed ({since} UTC). It works again, or the dataset has no such source any more.',
    ],
  },
  backup_late: {
    subject: 'A backup of {host} is late',
    before: [
      'A backup by schedule was not made in time at {host} ({time} UTC). The last good backup: {last}.',
      '{reason}',
      'izvor doctor',
    ],
  },
  backup_late_over: {
    subject: 'A backup of {host} is no longer late',
    before: [
      'A backup by schedule was late at {host} ({since} UTC). One was made since, or there is no schedule any more.',
    ],
  },
  disk_low: {
    subject: 'The disk of {host} is almost full',
    before: [
      '{free} are free on the disk that holds {subject} ({time} UTC), less than disk_floor, {floor}. The service at {host} says that it is not ready; ingests and backups need room.',
      'izvor doctor',
    ],
  },
  disk_low_over: {
    subject: 'The disk of {host} has room again',
    before: [
      'The disk that holds {subject} was almost full ({since} UTC). It has room again, more than disk_floor.',
    ],
  },
  certificate_ending: {
    subject: 'The certificate of {host} ends on {ends}',
    before: [
      'The certificate that {host} serves, from {subject}, ends on {ends}. From then on clients refuse to connect.',
      'Renew it, then let the service read it again: systemctl reload izvor (SIGHUP).',
    ],
  },
  certificate_ending_over: {
    subject: 'The certificate of {host} no longer ends soon',
    before: ['The service at {host} has no certificate any more that ends within 14 days.'],
  },
  personal_data_served: {
    subject: '{subject} serves columns that look like data about people',
    before: [
      'The dataset {subject} at {host} got a new version whose columns {columns} look like data about people. They were served before this was asked, so they stay served.',
      'If they may not be public, leave them out with a definition and ingest the file by hand. To say that they may: ingest it with --allow-personal-data and their names.',
    ],
  },
  personal_data_served_over: {
    subject: 'The columns about people in {subject} are settled',
    before: [
      'Since {since} UTC the dataset {subject} at {host} was ingested by hand again, or removed: its columns that look like data about people were allowed or left out.',
    ],
  },
}

const ROMANIAN: typeof ENGLISH = {
  ingest_refused: {
    subject: 'Un fișier pentru {subject} a fost refuzat',
    before: [
      'Un fișier pentru setul de date {subject} (domeniul {domain}) a fost refuzat la {host} ({since} UTC). Versiunea publicată rămâne neschimbată.',
      '{reason}',
    ],
  },
  ingest_refused_over: {
    subject: 'Refuzul fișierului pentru {subject} este rezolvat',
    before: [
      'Un fișier pentru setul de date {subject} a fost refuzat la {host} ({since} UTC). Între timp a fost publicat un fișier, ciorna a fost modificată sau ștearsă, setul de date a fost șters sau au trecut 30 de zile.',
    ],
  },
  refresh_failed: {
    subject: 'Actualizarea setului {subject} a eșuat',
    before: [
      'Setul de date {subject} nu a putut fi preluat din nou și publicat la {host} ({since} UTC). Versiunea publicată rămâne neschimbată și se învechește.',
      '{reason}',
      'izvor datasets show {subject}',
    ],
  },
  refresh_failed_over: {
    subject: 'Actualizarea setului {subject} funcționează din nou',
    before: [
      'Actualizarea setului de date {subject} la {host} a eșuat ({since} UTC). Acum funcționează din nou sau setul nu mai are această sursă.',
    ],
  },
  backup_late: {
    subject: 'O copie de siguranță a serviciului {host} întârzie',
    before: [
      'O copie de siguranță programată nu a fost făcută la timp la {host} ({time} UTC). Ultima copie reușită: {last}.',
      '{reason}',
      'izvor doctor',
    ],
  },
  backup_late_over: {
    subject: 'Copia de siguranță a serviciului {host} nu mai întârzie',
    before: [
      'O copie de siguranță programată a întârziat la {host} ({since} UTC). Între timp a fost făcută una sau nu mai există un program.',
    ],
  },
  disk_low: {
    subject: 'Discul serviciului {host} este aproape plin',
    before: [
      'Pe discul cu {subject} mai sunt {free} liberi ({time} UTC), sub disk_floor, {floor}. Serviciul {host} anunță că nu este pregătit; ingestiile și copiile de siguranță au nevoie de spațiu.',
      'izvor doctor',
    ],
  },
  disk_low_over: {
    subject: 'Discul serviciului {host} are din nou spațiu',
    before: ['Discul cu {subject} era aproape plin ({since} UTC). Are din nou spațiu, peste disk_floor.'],
  },
  certificate_ending: {
    subject: 'Certificatul serviciului {host} expiră la {ends}',
    before: [
      'Certificatul folosit de {host}, din {subject}, expiră la {ends}. După aceea clienții refuză să se conecteze.',
      'Reînnoiți-l, apoi cereți serviciului să îl citească din nou: systemctl reload izvor (SIGHUP).',
    ],
  },
  certificate_ending_over: {
    subject: 'Certificatul serviciului {host} nu mai expiră curând',
    before: ['Serviciul {host} nu mai are un certificat care expiră în 14 zile.'],
  },
  personal_data_served: {
    subject: '{subject} are coloane care par date despre persoane',
    before: [
      'Setul de date {subject} de la {host} are o versiune nouă, în care coloanele {columns} par date despre persoane. Erau publicate dinainte ca programul să întrebe, așa că rămân publicate.',
      'Dacă nu pot fi publice, lăsați-le deoparte cu o definiție și preluați fișierul manual. Dacă pot: preluați-l cu --allow-personal-data și numele lor.',
    ],
  },
  personal_data_served_over: {
    subject: 'Coloanele despre persoane din {subject} sunt lămurite',
    before: [
      'După {since} UTC setul de date {subject} de la {host} a fost preluat din nou manual sau a fost șters: coloanele care par date despre persoane au fost permise sau lăsate deoparte.',
    ],
  },
}

export const ALERT_TEXTS: Readonly<Record<Language, typeof ENGLISH>> = { ro: ROMANIAN, en: ENGLISH }
