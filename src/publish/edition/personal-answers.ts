/** Columns that seem to hold data about people: what was answered for them, what refuses, and what is only said. */

import type { Config } from '../../base/config/config.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { PersonalColumn } from '../../read/report/decisions.ts'
import { type Warning, warn } from '../../read/report/warnings.ts'
import { describePersonal } from '../../read/values/personal-data.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Refusal } from './report.ts'

/** What was answered for a dataset before. */
export interface PersonalBefore {
  /** Names of columns that may hold data about people. */
  readonly acknowledged: readonly string[]
  /** Names of columns that were served when nothing was asked yet: a refresh and an append need no answer for them. */
  readonly served: readonly string[]
  /** Those of them that the operator was told of. */
  readonly told: readonly string[]
}

/** Readings before this revision asked nothing. */
const ASKED_SINCE = 5

/** @param id the dataset; nothing was answered for one that is not served */
export function answeredBefore(catalog: Catalog, id: string): PersonalBefore {
  const record = catalog.record(id)
  if (record === undefined) return { acknowledged: [], served: [], told: [] }
  const { personal_data_served: told } = catalog.sources.find(id)?.options ?? {}
  const isAsked = (record.reading?.revision ?? 0) >= ASKED_SINCE
  return {
    acknowledged: (record.definition as Definition | null)?.personal_data ?? [],
    served: isAsked ? [] : record.columns.map(({ name }) => name),
    told: Array.isArray(told) ? told.map(String) : [],
  }
}

/** @param policy what refuses: personal codes (`ask`), all that looks personal (`strict`), or nothing (`warn`) */
export function refusePersonalData(
  found: readonly PersonalColumn[],
  policy: Config['personal_data'],
): Refusal | null {
  const isRefused = ({ kind }: PersonalColumn) => policy === 'strict' || (policy === 'ask' && kind === 'cnp')
  const open = found.filter((column) => !column.acknowledged && isRefused(column))
  if (open.length === 0) return null
  const columns = open.map(({ column }) => column)
  const message = `the file seems to hold data about people:\n${open.map(describePersonal).join('\n')}`
  return { kind: 'personal_data', message, override: `--allow-personal-data ${columns.join()}`, columns }
}

interface Answered {
  /** All are allowed, and nobody named them. */
  readonly isAll: boolean
  /** What was answered before, or by name. */
  readonly named: readonly string[]
  /** Columns that need no answer as they are served already. */
  readonly served: readonly string[]
}

/** A sentence for each column that is published without having been named. */
export function warnOfPersonalData(
  found: readonly PersonalColumn[],
  refusal: Refusal | null,
  { isAll, named, served }: Answered,
): Warning[] {
  const open = found.filter((one) => !one.acknowledged && !refusal?.columns?.includes(one.column))
  const unnamed = found.map(({ column }) => column).filter((name) => !named.includes(name))
  const inherited = isAll ? [] : unnamed.filter((name) => served.includes(name))
  return [
    ...open.map((one) =>
      warn(
        'personal_data',
        { column: one.column, kind: one.kind, rows: one.rows },
        `${describePersonal(one)}. If they may be published, "personal_data": ["${one.column}"] in a definition or --allow-personal-data ${one.column} says so`,
      ),
    ),
    ...(isAll && unnamed.length > 0 ? [warnOfAll(unnamed)] : []),
    ...(inherited.length > 0 ? [warnOfServed(inherited)] : []),
  ]
}

function warnOfAll(names: readonly string[]): Warning {
  return warn(
    'personal_data_all',
    { columns: names.join(', ') },
    `all columns that look like data about people were allowed, without names: ${names.join(', ')}`,
  )
}

function warnOfServed(names: readonly string[]): Warning {
  return warn(
    'personal_data_served',
    { columns: names.join(', ') },
    `columns that look like data about people stay served, as they were before this was asked: ${names.join(', ')}. Leave them out with a definition if they may not be`,
  )
}
