/** Why an address could not be fetched. */

import { formatBytes } from '../../../base/text/numbers.ts'
import { row } from './row.ts'

const UPLOAD = {
  ro: 'Descărcați fișierul și încărcați-l de pe calculator.',
  en: 'Download it and upload it yourself.',
}

/** For sentences that do not mention the file. */
const UPLOAD_FILE = {
  ro: 'Descărcați fișierul și încărcați-l de pe calculator.',
  en: 'Download the file and upload it yourself.',
}

/** What a server's answer means for the person who named the address. */
function explainStatus(status: number): 'closed' | 'gone' | 'away' | 'refused' {
  if (status === 401 || status === 403) return 'closed'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'away' : 'refused'
}

export const FETCH_REFUSALS = {
  wrong_address: row({
    kind: 'usage',
    ro: 'Aceasta nu este adresa unui fișier. O astfel de adresă începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    en: 'This is not the address of a file. Such an address begins with https://, or with ckan:https:// for a CKAN package.',
  }),
  unknown_host: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Nu există niciun server cu numele ${host}. Verificați adresa.`,
    en: ({ host }) => `There is no server called ${host}. Check the address.`,
  }),
  no_answer: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Serverul ${host} nu răspunde. Încercați mai târziu.`,
    en: ({ host }) => `The server ${host} does not answer. Try again later.`,
  }),
  bad_certificate: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Certificatul serverului ${host} nu este de încredere.`,
    en: ({ host }) => `The certificate of ${host} cannot be trusted.`,
    desk: UPLOAD_FILE,
  }),
  connection_lost: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) =>
      `Conexiunea cu ${host} s-a întrerupt înainte de primirea întregului fișier. Încercați din nou.`,
    en: ({ host }) => `The connection to ${host} broke off before the file was complete. Try again.`,
  }),
  connection_failed: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Conexiunea cu ${host} nu a reușit. Încercați mai târziu.`,
    en: ({ host }) => `The connection to ${host} failed. Try again later.`,
  }),
  http_status: row<{ host: string; status: number }>({
    kind: 'failed',
    ro: ({ host, status }) =>
      ({
        closed: `Serverul ${host} nu oferă fișierul fără autentificare (HTTP ${status}). Descărcați-l și încărcați-l de pe calculator.`,
        gone: `La această adresă nu (mai) este niciun fișier (HTTP ${status}). Verificați adresa.`,
        away: `Serverul ${host} nu poate răspunde acum (HTTP ${status}). Încercați mai târziu.`,
        refused: `Serverul ${host} nu oferă fișierul (HTTP ${status}). Verificați adresa.`,
      })[explainStatus(status)],
    en: ({ host, status }) =>
      ({
        closed: `The server ${host} does not give the file without signing in (HTTP ${status}). Download it yourself.`,
        gone: `There is no file at this address (HTTP ${status}). Check the address.`,
        away: `The server ${host} cannot answer now (HTTP ${status}). Try again later.`,
        refused: `The server ${host} does not give the file (HTTP ${status}). Check the address.`,
      })[explainStatus(status)],
  }),
  wrong_redirect: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) =>
      `Adresa de la ${host} trimite în altă parte, unde nu este niciun fișier. Folosiți adresa de la butonul de descărcare.`,
    en: ({ host }) =>
      `The address at ${host} leads elsewhere, where there is no file. Use the address behind the download button.`,
  }),
  insecure_redirect: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) =>
      `Adresa de la ${host} trimite la una fără criptare, unde oricine de pe traseu ar putea schimba datele.`,
    en: ({ host }) =>
      `The address at ${host} leads to one without encryption, where anybody on the way could change the data.`,
    desk: UPLOAD_FILE,
    shell: 'If that is acceptable, name that address itself.',
  }),
  private_address: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `${host} se află într-o rețea internă, de unde serviciul nu preia fișiere.`,
    en: ({ host }) => `${host} is inside a private network, from which the service fetches nothing.`,
    desk: { ro: 'Încărcați fișierul de pe calculator.', en: 'Upload the file yourself.' },
  }),
  too_slow: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Serverul ${host} este prea lent. Încercați mai târziu.`,
    en: ({ host }) => `The server ${host} is too slow. Try again later.`,
    desk: { ro: 'Sau încărcați fișierul de pe calculator.', en: 'Or upload the file yourself.' },
  }),
  wrong_packing: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `Serverul ${host} trimite fișierul comprimat într-un fel care nu se poate citi.`,
    en: ({ host }) => `The server ${host} sends the file packed in a way that cannot be read.`,
    desk: UPLOAD,
  }),
  too_large_to_fetch: row<{ bytes: number }>({
    kind: 'failed',
    ro: ({ bytes }) =>
      `Fișierul de la această adresă depășește ${formatBytes('ro', bytes)}, cât poate primi serviciul acum.`,
    en: ({ bytes }) =>
      `The file at this address is larger than ${formatBytes('en', bytes)}, which is what the service can take now.`,
    shell: 'That is half of what is free on the disk of the data folder; make room there first.',
  }),
  html_page: row({
    kind: 'failed',
    ro: 'La această adresă este o pagină, nu un fișier. Folosiți adresa de la butonul de descărcare.',
    en: 'There is a page at this address, not a file. Use the address behind the download button.',
  }),
  not_a_catalogue: row<{ host: string }>({
    kind: 'failed',
    ro: ({ host }) => `${host} nu răspunde ca un catalog CKAN. Verificați adresa.`,
    en: ({ host }) => `${host} does not answer as a CKAN catalogue. Check the address.`,
  }),
  package_not_found: row<{ host: string; name: string }>({
    kind: 'failed',
    ro: ({ host, name }) => `Catalogul de la ${host} nu oferă pachetul „${name}”. Verificați adresa.`,
    en: ({ host, name }) =>
      `The catalogue at ${host} does not give the package “${name}”. Check the address.`,
  }),
  package_closed: row<{ host: string; name: string }>({
    kind: 'failed',
    ro: ({ host, name }) => `Catalogul de la ${host} nu arată pachetul „${name}” tuturor.`,
    en: ({ host, name }) => `The catalogue at ${host} does not show the package “${name}” to everybody.`,
  }),
  package_without_files: row({
    kind: 'failed',
    ro: 'Pachetul de la această adresă nu are fișiere.',
    en: 'The package at this address has no files.',
  }),
  package_of_several: row({
    kind: 'usage',
    ro: 'Pachetul are mai multe fișiere sau niciunul care se poate citi. Adăugați la sfârșitul adresei / și numele fișierului dorit.',
    en: 'The package has several files, or none that can be read. Add / and the name of the file to the end of the address.',
  }),
}
