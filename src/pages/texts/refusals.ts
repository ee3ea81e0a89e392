import type { ErrorCode } from '../../base/error-codes.ts'
import type { Language } from '../../base/text/language.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { findOperator, OPERATOR_TABLE } from '../../engine/operators.ts'
import { formatWait, type TextTable } from './texts.ts'

/** The part of a refused request that its sentence needs. */
export interface Refused {
  /** The API's own sentence, in English. */
  readonly message: string
  /** The wrong column, parameter or field; empty for anything else. */
  readonly name: string
  /** The operator of a filter, as written: `gte`. */
  readonly operator: string | undefined
  /** The refused value, where the page knows it. */
  readonly value: string | undefined
  /** The one unknown column of `sort` or `fields`, where the page knows which it is. */
  readonly unknown?: string | undefined
  /** The type of the column, where the page knows it. */
  readonly type: ColumnType | undefined
  readonly suggestions: readonly string[]
  /** Seconds to wait. */
  readonly wait: number
}

type Say = (refused: Refused) => string

const asSaid: Say = ({ message }) => message

const IN_ROMANIAN: Readonly<Record<ErrorCode, Say>> = {
  api_key_missing: () => 'Rândurile acestui set de date se citesc numai prin API, cu o cheie.',
  api_key_malformed: () => 'Cheia API este incompletă. Copiați-o din nou de unde ați păstrat-o.',
  api_key_invalid: () => 'Serviciul nu recunoaște această cheie API.',
  api_key_revoked: () => 'Această cheie API a fost revocată.',
  api_key_expired: () => 'Această cheie API a expirat.',
  rate_limited: ({ wait }) =>
    `Prea multe cereri într-un timp scurt. Încercați din nou peste ${formatWait('ro', wait)}.`,
  quota_exceeded: () => 'Ați folosit toate apelurile disponibile luna aceasta.',
  dataset_not_found: () => 'La această adresă nu există niciun set de date.',
  dataset_not_ingested: () => 'Acest set de date este anunțat, dar încă nu a fost publicat.',
  unknown_column: (refused) =>
    isListOfColumns(refused)
      ? `„${refused.name}” cere ${refused.unknown === undefined ? 'o coloană' : `coloana „${refused.unknown}”,`} care nu există.${meant(refused)}`
      : `Nu există coloana „${refused.name}”.${meant(refused)}`,
  unknown_operator: ({ name, operator = '', suggestions }) =>
    `Condiția „${condition('ro', operator)}” nu se aplică coloanei ${name}. Încercați: ${suggestions.map((one) => condition('ro', one)).join(', ')}.`,
  unknown_parameter: (refused) =>
    `Parametrul „${refused.name}” nu există la această adresă.${meant(refused)}`,
  duplicate_parameter: ({ name }) => `Parametrul „${name}” apare de mai multe ori; se scrie o singură dată.`,
  invalid_value: (refused) => `${unsuitable(refused)}${meant(refused)}`,
  invalid_sort: () => 'În „sort”, fiecare coloană apare o singură dată; coloanele se despart prin virgulă.',
  invalid_fields: () =>
    'În „fields”, fiecare coloană apare o singură dată; coloanele se despart prin virgulă.',
  invalid_limit: () => 'Numărul de rânduri („limit”) trebuie să fie un număr întreg de la 1 la 1000.',
  invalid_offset: () => 'Poziția de început („offset”) trebuie să fie un număr întreg, 0 sau mai mare.',
  invalid_cursor: () =>
    'Poziția din tabel („cursor”) nu provine de la acest serviciu. Reluați de la început.',
  cursor_expired: () => 'Setul de date s-a schimbat între timp. Reluați de la început.',
  cursor_conflict: () => '„cursor” nu se poate folosi împreună cu „offset”, „sort” sau „count”.',
  invalid_format: () => 'Fișierele se descarcă în formatele csv, ndjson, json, xlsx sau parquet.',
  range_not_satisfiable: () => 'Fișierul este mai scurt decât partea cerută.',
  too_many_rows: () =>
    'Sunt mai multe rânduri decât încap într-o foaie de calcul. Adăugați un filtru sau descărcați CSV.',
  invalid_aggregate: ({ name }) =>
    `„${name}” conține o grupare sau o măsură care nu se poate calcula, ori aceeași măsură de două ori.`,
  too_many_groups: () =>
    'Rândurile formează prea multe grupuri. Adăugați un filtru sau grupați după mai puține coloane.',
  invalid_body: () => 'Datele trimise nu au forma așteptată.',
  not_found: () => 'La această adresă nu există nimic.',
  method_not_allowed: () => 'Această adresă nu acceptă acest fel de cerere.',
  payload_too_large: () =>
    'Fișierul este prea mare sau aveți prea multe ciorne: publicați sau ștergeți câteva dintre ele.',
  unauthenticated: () => 'Sesiunea s-a încheiat. Autentificați-vă din nou.',
  csrf_failed: () =>
    'Serviciul nu recunoaște această pagină ca fiind a sa. Administratorul trebuie să configureze adresa publică (IZVOR_BASE_URL).',
  invalid_credentials: () => 'Adresa de e-mail sau parola este greșită.',
  second_factor_required: () => 'Activați mai întâi al doilea pas, în pagina Securitate a contului.',
  email_taken: () => 'Există deja un cont cu această adresă.',
  weak_password: () =>
    'Această parolă este ușor de ghicit. Folosiți câteva cuvinte fără legătură între ele sau lăsați un manager de parole să genereze una.',
  token_invalid: () => 'Legătura a fost deja folosită sau a expirat.',
  key_limit_reached: () =>
    'Planul dumneavoastră nu permite mai multe chei active. Revocați una pentru a face loc.',
  key_not_found: () => 'Această cheie a fost ștearsă între timp.',
  key_not_revoked: () => 'Această cheie este activă; revocați-o mai întâi.',
  key_not_active: () => 'Această cheie a fost revocată între timp.',
  role_missing: () =>
    'Contul dumneavoastră nu are dreptul să facă acest lucru. Administratorul serviciului îl poate acorda.',
  scope_missing: () => 'Această cheie API nu are dreptul să publice aici.',
  session_not_found: () => 'Această sesiune s-a încheiat deja.',
  draft_not_found: () => 'Această ciornă a fost ștearsă între timp. Încărcați din nou fișierul.',
  draft_not_ready: () =>
    'Fișierul nu este gata pentru acest pas. Așteptați să fie citit, apoi încercați din nou.',
  draft_outdated: () =>
    'Între timp s-a publicat altă versiune. Citiți fișierul din nou, ca să fie comparat cu ea.',
  schema_drift: () => 'Fișierul nu are coloanele versiunii publicate.',
  too_many_quarantined: () => 'Prea multe rânduri din fișier nu pot fi preluate.',
  too_many_mended: () => 'Prea multe rânduri au alt număr de celule decât antetul și au fost corectate.',
  too_few_rows: () => 'Ar rămâne mai puțin de jumătate din rândurile publicate.',
  personal_data: () => 'Fișierul pare să conțină date personale.',
  duplicate_key: () => 'Unele rânduri din fișier sunt deja publicate, cu aceeași cheie.',
  request_timeout: () => 'Fișierul s-a transmis prea lent, iar încărcarea a fost oprită. Încercați din nou.',
  version_served: () => 'Aceasta este versiunea publicată acum: publicați întâi alta.',
  last_operator: () => 'Acesta este ultimul administrator: acordați întâi rolul altui cont.',
  version_not_found: () => 'Această versiune a setului de date nu se mai păstrează.',
  service_unavailable: ({ wait }) =>
    `Serviciul nu poate răspunde acum. Încercați din nou peste ${formatWait('ro', wait)}.`,
  internal_error: () => 'A apărut o eroare a serviciului. Încercați din nou.',
}

const ALL_AS_SAID = Object.fromEntries(Object.keys(IN_ROMANIAN).map((code) => [code, asSaid])) as Record<
  ErrorCode,
  Say
>

/**
 * The sentence for each code. In English it is mostly the API's own, which is exact; in Romanian the page has its own, since
 * the API speaks English only.
 */
export const REFUSALS: TextTable<Record<ErrorCode, Say>> = {
  ro: IN_ROMANIAN,
  en: {
    ...ALL_AS_SAID,
    dataset_not_found: () => 'There is no dataset at this address.',
    unknown_column: (refused) =>
      isListOfColumns(refused)
        ? `“${refused.name}” names ${refused.unknown === undefined ? 'a column that' : `the column “${refused.unknown}”, which`} does not exist.${meant(refused, 'en')}`
        : `There is no column “${refused.name}”.${meant(refused, 'en')}`,
    unknown_operator: ({ name, operator = '', suggestions }) =>
      `The condition “${condition('en', operator)}” does not apply to the column ${name}. Try: ${suggestions.map((one) => condition('en', one)).join(', ')}.`,
    csrf_failed: () =>
      'The service does not recognise this page as its own. The operator has to set its public address (IZVOR_BASE_URL).',
    invalid_credentials: () => 'The e-mail address or the password is wrong.',
    second_factor_required: () => 'Turn on the second step first, on the Security page of your account.',
    email_taken: () => 'An account with this address already exists.',
    weak_password: () =>
      'This password is easy to guess. Use several unrelated words, or let a password manager generate one.',
    token_invalid: () => 'This link has already been used, or it has expired.',
    key_limit_reached: () => 'Your plan does not allow more active keys. Revoke one to make room.',
    key_not_found: () => 'This key has since been deleted.',
    key_not_revoked: () => 'This key is active; revoke it first.',
    key_not_active: () => 'This key has since been revoked.',
    role_missing: () => 'Your account may not do this. The operator of the service can grant it the right.',
    scope_missing: () => 'This API key may not publish here.',
    session_not_found: () => 'This session has already ended.',
    draft_not_found: () => 'This draft has since been removed. Upload the file again.',
    request_timeout: () => 'The file arrived too slowly, and the upload was stopped. Try again.',
    version_served: () => 'This is the published version: publish another one first.',
    last_operator: () => 'This is the last operator: make another account an operator first.',
    version_not_found: () => 'This version of the dataset is no longer kept.',
  },
}

function isListOfColumns({ name, operator }: Refused): boolean {
  return operator === undefined && ['sort', 'fields', 'columns'].includes(name)
}

/** ` Ați vrut să scrieți „county”?`, or nothing. */
function meant({ suggestions }: Refused, language: Language = 'ro'): string {
  if (suggestions.length === 0) return ''
  return language === 'ro'
    ? ` Ați vrut să scrieți ${suggestions.map((one) => `„${one}”`).join(' sau ')}?`
    : ` Did you mean ${suggestions.map((one) => `“${one}”`).join(' or ')}?`
}

/** An operator in words; an unknown one as it was written. */
function condition(language: Language, operator: string): string {
  const known = findOperator(operator)
  return known === undefined ? operator : OPERATOR_TABLE[known].words[language]
}

function unsuitable({ name, operator, value, type, suggestions }: Refused): string {
  const given = value === undefined ? 'Valoarea' : `„${value}”`
  if (type === undefined)
    return name === '' ? 'Adresa nu poate fi citită.' : `${given} nu se potrivește pentru „${name}”.`
  const { takes } = OPERATOR_TABLE[findOperator(operator ?? 'eq') ?? 'eq']
  const list = takes === 'list' ? 'valori cu virgule între ele, fiecare ' : ''
  const wanted = takes === 'flag' ? VALUES.boolean : VALUES[type]
  const isEither = (type === 'integer' || type === 'decimal') && takes !== 'flag' && suggestions.length > 1
  const mark = value?.includes(',') ? 'Virgula' : 'Punctul'
  const either = isEither ? ` ${mark} poate despărți miile sau zecimalele.` : ''
  return `${given} nu se potrivește: coloana ${name} cere ${list}${wanted}.${either}`
}

const VALUES: Readonly<Record<ColumnType, string>> = {
  string: 'un text care nu este gol',
  integer: 'un număr întreg de cel mult 15 cifre, ca 2024',
  decimal: 'un număr cu punct zecimal, ca 12.5',
  boolean: 'true sau false',
  date: 'o zi din calendar, ca 2024-01-31',
  datetime: 'un moment din calendar, ca 2024-01-31T12:00:00Z',
}
