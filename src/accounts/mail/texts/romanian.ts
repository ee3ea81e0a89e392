import type { MailTexts } from './texts.ts'

export const ROMANIAN: MailTexts = {
  closing: 'Mesaj trimis automat de serviciul de date deschise {host}. Vă rugăm să nu răspundeți.',
  verify: {
    subject: 'Confirmați adresa de e-mail',
    before: [
      'Bine ați venit la {host}.',
      'Vă rugăm să confirmați că această adresă vă aparține. Legătura funcționează o singură dată, timp de 24 de ore.',
    ],
    button: 'Confirmați adresa',
    after: ['Dacă nu v-ați înregistrat dumneavoastră, ignorați acest mesaj: nu veți mai primi altele.'],
  },
  reset: {
    subject: 'Alegeți o parolă nouă',
    before: [
      'A fost cerută o parolă nouă pentru contul cu această adresă la {host}.',
      'Legătura funcționează o singură dată, timp de 30 de minute. O parolă nouă deconectează toate browserele; cheile API rămân valabile.',
    ],
    button: 'Alegeți o parolă nouă',
    after: ['Dacă nu dumneavoastră ați cerut-o, ignorați acest mesaj: parola rămâne neschimbată.'],
  },
  invitation: {
    subject: 'Contul dumneavoastră nou',
    before: [
      'La {host} a fost creat un cont pentru dumneavoastră, cu această adresă.',
      'Alegeți o parolă pentru a vă autentifica. Legătura funcționează o singură dată, timp de 24 de ore; după aceea, „Ați uitat parola?” trimite alta.',
    ],
    button: 'Alegeți o parolă',
    after: ['Dacă nu vă așteptați la acest mesaj, ignorați-l.'],
  },
  password_changed: {
    subject: 'Parola a fost schimbată',
    before: [
      'Parola contului dumneavoastră la {host} a fost schimbată ({time} UTC).',
      'Dacă nu dumneavoastră ați schimbat-o, alegeți imediat una nouă cu „Ați uitat parola?” din pagina de autentificare și verificați cheile API.',
    ],
  },
  second_factor_on: {
    subject: 'Autentificarea cere acum și un cod',
    before: [
      'Pentru contul dumneavoastră la {host} a fost activat al doilea pas ({time} UTC): autentificarea cere și un cod dintr-o aplicație de autentificare. Toate celelalte browsere au fost deconectate.',
      'Dacă nu dumneavoastră l-ați activat, scrieți administratorului serviciului, care îl poate dezactiva, și alegeți o parolă nouă cu „Ați uitat parola?”.',
    ],
  },
  second_factor_off: {
    subject: 'Autentificarea nu mai cere un cod',
    before: [
      'Al doilea pas al contului dumneavoastră la {host} a fost dezactivat ({time} UTC). Parola este suficientă pentru autentificare.',
      'Dacă nu dumneavoastră l-ați dezactivat, alegeți imediat o parolă nouă cu „Ați uitat parola?” din pagina de autentificare și verificați cheile API.',
    ],
  },
  recovery_code_used: {
    subject: 'A fost folosit un cod de rezervă',
    before: [
      'Pentru contul dumneavoastră la {host} a fost folosit un cod de rezervă ({time} UTC). Codul nu mai funcționează.',
      'Dacă nu dumneavoastră l-ați folosit, alegeți imediat o parolă nouă cu „Ați uitat parola?” din pagina de autentificare, apoi dezactivați și activați din nou al doilea pas.',
    ],
  },
  key_created: {
    subject: 'A fost creată o cheie API nouă',
    before: [
      'A fost creată o cheie API nouă pentru contul dumneavoastră la {host} ({time} UTC).',
      'Dacă nu dumneavoastră ați creat-o, revocați cheia din cont și schimbați parola.',
    ],
  },
  key_rotated: {
    subject: 'Secretul unei chei API a fost schimbat',
    before: [
      'La contul dumneavoastră de la {host} a fost schimbat secretul uneia sau mai multor chei API ({time} UTC). Secretele vechi nu mai funcționează.',
      'Dacă nu dumneavoastră l-ați schimbat, revocați cheia din cont și schimbați parola.',
    ],
  },
  key_expires: {
    subject: 'O cheie API expiră în curând',
    before: [
      'Cheia API „{key}” a contului dumneavoastră la {host} nu mai funcționează din {end} UTC.',
      'Dacă mai aveți nevoie de ea, alegeți în cont un termen mai târziu; secretul rămâne același. Dacă nu, nu trebuie să faceți nimic.',
    ],
  },
  account_deleted: {
    subject: 'Contul a fost șters',
    before: [
      'Contul dumneavoastră la {host} a fost șters ({time} UTC), împreună cu cheile API, sesiunile, utilizarea și jurnalele sale.',
      'Dacă nu dumneavoastră l-ați șters, vă rugăm să scrieți administratorului serviciului.',
    ],
  },
  ingest_refused: {
    subject: 'Un fișier pentru {subject} a fost respins',
    before: [
      'Un fișier pentru setul de date {subject} (domeniul {domain}) a fost respins la {host} ({since} UTC). Versiunea publicată rămâne neschimbată.',
      '{reason}',
    ],
  },
  ingest_refused_over: {
    subject: 'Fișierul respins pentru {subject}: situație rezolvată',
    before: [
      'Un fișier pentru setul de date {subject} a fost respins la {host} ({since} UTC). Între timp a fost publicat un fișier, ciorna a fost modificată sau ștearsă, setul de date a fost șters sau au trecut 30 de zile.',
    ],
  },
  refresh_failed: {
    subject: 'Actualizarea setului {subject} a eșuat',
    before: [
      'Setul de date {subject} nu a putut fi preluat din nou și publicat la {host} ({since} UTC). Versiunea publicată rămâne neschimbată, deci nu mai este la zi.',
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
      'Pe discul cu {subject} mai sunt liberi {free} ({time} UTC), sub disk_floor, {floor}. Serviciul {host} anunță că nu este pregătit; preluările și copiile de siguranță au nevoie de spațiu.',
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
      'Certificatul folosit de {host}, din {subject}, expiră la {ends}. După aceea, programele și browserele refuză conexiunea.',
      'Reînnoiți-l, apoi cereți serviciului să îl citească din nou: systemctl reload izvor (SIGHUP).',
    ],
  },
  certificate_ending_over: {
    subject: 'Certificatul serviciului {host} nu mai expiră curând',
    before: ['Serviciul {host} nu mai are niciun certificat care expiră în următoarele 14 zile.'],
  },
  certificate_failed: {
    subject: 'Nu s-a emis un certificat nou pentru {subject}',
    before: [
      'Serviciul {host} a cerut un certificat pentru {subject} și nu l-a primit ({since} UTC). Motivul: {reason}',
      'Serviciul păstrează certificatul pe care îl are și încearcă din nou de la sine. După ce ați înlăturat cauza, systemctl reload izvor (SIGHUP) îl cere imediat.',
      'izvor doctor',
    ],
  },
  certificate_failed_over: {
    subject: 'S-a emis un certificat nou pentru {subject}',
    before: [
      'Serviciul {host} are un certificat nou pentru {subject}, pe care îl ceruse fără succes ({since} UTC).',
    ],
  },
  personal_data_served: {
    subject: '{subject} are coloane care par să conțină date personale',
    before: [
      'Setul de date {subject} de la {host} are o versiune nouă, în care coloanele {columns} par să conțină date personale. Erau publicate dinainte ca programul să întrebe, așa că rămân publicate.',
      'Dacă nu pot fi publice, lăsați-le deoparte cu o definiție și preluați fișierul manual. Dacă pot: preluați-l cu --allow-personal-data și numele lor.',
    ],
  },
  personal_data_served_over: {
    subject: 'Coloanele cu date personale din {subject}: situație rezolvată',
    before: [
      'După {since} UTC setul de date {subject} de la {host} a fost preluat din nou manual sau a fost șters: coloanele care par să conțină date personale au fost permise sau lăsate deoparte.',
    ],
  },
}
