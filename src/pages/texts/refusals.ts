import type { ColumnType } from '../../engine/column.ts'
import { OPERATORS } from '../../engine/query.ts'
import type { ErrorCode } from '../../errors.ts'
import { formatWait } from '../parts/format.ts'
import { EXPLORER_TEXTS } from './explorer.ts'
import { textTable } from './texts.ts'

/** What was refused: what a sentence about it is made of. */
export interface Refused {
  /** The API's own sentence, in English. */
  readonly message: string
  /** The column, parameter or field that is wrong; empty when it is none of them. */
  readonly name: string
  /** Of a filter, as written: `gte`. */
  readonly operator: string | undefined
  /** What was given there, where the page knows it. */
  readonly value: string | undefined
  /** The one column of `sort` or `fields` that is not there, where the page knows which it is. */
  readonly unknown?: string | undefined
  /** Of the column, where the page knows it. */
  readonly type: ColumnType | undefined
  readonly suggestions: readonly string[]
  /** Whether the service suggested more, which is of no use where the sentence stands. */
  readonly isNarrowed?: boolean | undefined
  /** Seconds to wait. */
  readonly wait: number
}

type Say = (refused: Refused) => string

const asSaid: Say = ({ message }) => message

/**
 * What people are told of each code. In English mostly the API's own sentence, which is exact; in Romanian a sentence
 * of ours, since the API speaks English only.
 */
export const REFUSALS = textTable<Record<ErrorCode, Say>>(
  {
    api_key_missing: () => 'Rândurile acestui set de date se citesc numai prin API, cu o cheie.',
    api_key_malformed: () => 'Cheia API nu este întreagă. Copiați-o din nou din locul în care ați păstrat-o.',
    api_key_invalid: () => 'Serviciul nu cunoaște această cheie API.',
    api_key_revoked: () => 'Această cheie API a fost revocată.',
    rate_limited: ({ wait }) =>
      `Prea multe cereri într-un timp scurt. Încercați din nou peste ${formatWait('ro', wait)}.`,
    quota_exceeded: () => 'Apelurile lunii acesteia s-au terminat.',
    dataset_not_found: () => 'La această adresă nu este niciun set de date.',
    dataset_not_ingested: () => 'Acest set de date este anunțat, dar încă nu a fost publicat.',
    unknown_column: (refused) =>
      isListOfColumns(refused)
        ? `„${refused.name}” numește ${refused.unknown === undefined ? 'o coloană' : `coloana „${refused.unknown}”,`} care nu există.${meant(refused)}`
        : `Nu există coloana „${refused.name}”.${meant(refused)}`,
    unknown_operator: ({ name, operator = '', suggestions }) =>
      `Condiția „${condition(operator)}” nu se potrivește coloanei ${name}. Încercați: ${suggestions.map(condition).join(', ')}.`,
    unknown_parameter: (refused) =>
      `Această adresă nu cunoaște parametrul „${refused.name}”.${meant(refused)}`,
    duplicate_parameter: ({ name }) =>
      `Parametrul „${name}” apare de mai multe ori; este de ajuns o singură dată.`,
    invalid_value: (refused) => `${unsuitable(refused)}${meant(refused)}`,
    invalid_sort: () => 'Ordinea („sort”) numește fiecare coloană o singură dată, cu virgule între ele.',
    invalid_fields: () => 'Coloanele alese („fields”) se scriu fiecare o singură dată, cu virgule între ele.',
    invalid_limit: () => 'Numărul de rânduri („limit”) este un număr întreg de la 1 la 1000.',
    invalid_offset: () => 'Locul de unde se începe („offset”) este un număr întreg, 0 sau mai mare.',
    invalid_cursor: () => 'Locul din tabel („cursor”) nu este unul dat de acest serviciu. Începeți din nou.',
    cursor_expired: () => 'Setul de date s-a schimbat între timp. Începeți din nou.',
    cursor_conflict: () => '„cursor” nu se poate folosi împreună cu „offset”, „sort” sau „count”.',
    invalid_format: () => 'Fișierele se descarcă în formatele csv, ndjson sau json.',
    invalid_body: () => 'Ceea ce s-a trimis nu are forma așteptată.',
    not_found: () => 'La această adresă nu este nimic.',
    method_not_allowed: () => 'Această adresă nu răspunde la o asemenea cerere.',
    payload_too_large: () => 'Ceea ce s-a trimis este prea mare.',
    unauthenticated: () => 'Sesiunea s-a încheiat. Autentificați-vă din nou.',
    csrf_failed: () =>
      'Serviciul nu recunoaște această pagină ca fiind a sa. Cine îl administrează trebuie să îi seteze adresa publică (IZVOR_BASE_URL).',
    invalid_credentials: () => 'Nu există un cont cu această adresă și această parolă.',
    email_taken: () => 'Există deja un cont cu această adresă.',
    weak_password: () =>
      'Această parolă este ușor de ghicit. Folosiți câteva cuvinte fără legătură între ele sau lăsați un manager de parole să aleagă una.',
    token_invalid: () => 'Legătura a fost deja folosită sau a expirat.',
    key_limit_reached: () =>
      'Planul dumneavoastră nu permite mai multe chei active. Revocați una pentru a face loc.',
    key_not_found: () => 'Această cheie a fost ștearsă între timp.',
    key_not_revoked: () => 'Această cheie este activă; revocați-o mai întâi.',
    key_not_active: () => 'Această cheie a fost revocată între timp.',
    session_not_found: () => 'Această sesiune s-a încheiat deja.',
    service_unavailable: ({ wait }) =>
      `Serviciul nu poate răspunde acum. Încercați din nou peste ${formatWait('ro', wait)}.`,
    internal_error: () => 'Ceva nu a mers la noi. Încercați din nou.',
  },
  {
    api_key_missing: asSaid,
    api_key_malformed: asSaid,
    api_key_invalid: asSaid,
    api_key_revoked: asSaid,
    rate_limited: asSaid,
    quota_exceeded: asSaid,
    dataset_not_found: () => 'There is no dataset at this address.',
    dataset_not_ingested: asSaid,
    unknown_column: (refused) =>
      refused.isNarrowed ? `Unknown column "${refused.name}".${meantInEnglish(refused)}` : refused.message,
    unknown_operator: asSaid,
    unknown_parameter: asSaid,
    duplicate_parameter: asSaid,
    invalid_value: asSaid,
    invalid_sort: asSaid,
    invalid_fields: asSaid,
    invalid_limit: asSaid,
    invalid_offset: asSaid,
    invalid_cursor: asSaid,
    cursor_expired: asSaid,
    cursor_conflict: asSaid,
    invalid_format: asSaid,
    invalid_body: asSaid,
    not_found: asSaid,
    method_not_allowed: asSaid,
    payload_too_large: asSaid,
    unauthenticated: asSaid,
    csrf_failed: () =>
      'The service does not take this page for its own. Whoever runs it has to set its public address (IZVOR_BASE_URL).',
    invalid_credentials: () => 'There is no account with this address and password.',
    email_taken: () => 'There is an account with this address already.',
    weak_password: () =>
      'This password is easy to guess. Use several unrelated words, or let a password manager make one.',
    token_invalid: () => 'The link was used already, or it has expired.',
    key_limit_reached: () => 'Your plan does not allow more active keys. Revoke one to make room.',
    key_not_found: () => 'This key was deleted meanwhile.',
    key_not_revoked: () => 'This key is active; revoke it first.',
    key_not_active: () => 'This key was revoked meanwhile.',
    session_not_found: () => 'This session has ended already.',
    service_unavailable: asSaid,
    internal_error: asSaid,
  },
)

function isListOfColumns({ name, operator }: Refused): boolean {
  return operator === undefined && (name === 'sort' || name === 'fields')
}

/** ` Ați vrut „county”?`, or nothing. */
function meant({ suggestions }: Refused): string {
  if (suggestions.length === 0) return ''
  return ` Ați vrut ${suggestions.map((one) => `„${one}”`).join(' sau ')}?`
}

function meantInEnglish({ suggestions }: Refused): string {
  if (suggestions.length === 0) return ''
  return ` Did you mean ${suggestions.map((one) => `"${one}"`).join(' or ')}?`
}

/** An operator in words; one that nobody knows as it was written. */
function condition(operator: string): string {
  const known = OPERATORS.find((name) => name === operator)
  return known === undefined ? operator : EXPLORER_TEXTS.ro[known]
}

function unsuitable({ name, operator, value, type }: Refused): string {
  const given = value === undefined ? 'Valoarea' : `„${value}”`
  if (type === undefined)
    return name === '' ? 'Adresa nu se poate citi.' : `${given} nu se potrivește la „${name}”.`
  const list = operator === 'in' || operator === 'not_in' ? 'valori cu virgule între ele, fiecare ' : ''
  const wanted = operator === 'is_null' ? VALUES.boolean : VALUES[type]
  return `${given} nu se potrivește: coloana ${name} cere ${list}${wanted}.`
}

const VALUES: Readonly<Record<ColumnType, string>> = {
  string: 'un text care nu este gol',
  integer: 'un număr întreg de cel mult 15 cifre, ca 2024',
  decimal: 'un număr cu punct zecimal, ca 12.5',
  boolean: 'true sau false',
  date: 'o zi din calendar, ca 2024-01-31',
  datetime: 'un moment din calendar, ca 2024-01-31T12:00:00Z',
}
