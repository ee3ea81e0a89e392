/** The results that an aggregate asks for: groups, then measures, each under its name. */

import { type AggregateQuery, DATE_PARTS, MEASURES, resultTypes } from '../../engine/aggregate/query.ts'
import type { Findings } from '../findings.ts'
import { type QuerySchema, querySchema } from '../query-schema.ts'
import { unknownFilter } from '../unknown-names.ts'
import { quote, type Refusal } from '../values.ts'
import { defaultName, type Entry } from './entries.ts'

type Groups = AggregateQuery['groups']
type Measures = AggregateQuery['measures']

export interface Results {
  readonly groups: Groups
  readonly measures: Measures
  /** Names and types in the order of a row. */
  readonly schema: QuerySchema
  /** Names of entries that were refused: what names them is refused with them. */
  readonly refused: ReadonlySet<string>
}

/** Puts the entries together. Two of one name are noted. */
export function joinResults(
  groups: readonly Entry<Groups[number]>[],
  measures: readonly Entry<Measures[number]>[],
  { columns }: QuerySchema,
  findings: Findings,
): Results {
  refuseRepeated(groups, measures, findings)
  const entries = [...groups, ...measures]
  const keys = {
    groups: groups.flatMap(({ key }) => key ?? []),
    measures: measures.flatMap(({ key }) => key ?? []),
  }
  const types = resultTypes(columns, keys)
  const names = entries.flatMap(({ name, key }) => (key === undefined ? [] : [name]))
  return {
    ...keys,
    schema: querySchema(names.map((name, index) => ({ name, type: types[index]! }))),
    refused: new Set(entries.flatMap(({ name, key }) => (key === undefined ? [name] : []))),
  }
}

function refuseRepeated(
  groups: readonly Entry<unknown>[],
  measures: readonly Entry<unknown>[],
  findings: Findings,
): void {
  const seen = new Set<string>()
  for (const [parameter, entries] of [['group_by', groups] as const, ['measures', measures] as const]) {
    for (const { name } of entries) {
      if (seen.has(name)) {
        findings.add('invalid_aggregate', `query.${parameter}`, {
          message: `two results are named ${quote(name)}: leave one out, or name one yourself, as in other:${parameter === 'measures' ? 'sum(column)' : 'column'}`,
        })
      }
      seen.add(name)
    }
  }
}

/**
 * A filter on what is neither a column nor a result.
 * @param name of the parameter as written, `column` its part before the brackets
 * @param usable names of the parameters of the address
 */
export function unknownResultFilter(
  name: string,
  column: string,
  { schema: results }: Results,
  schema: QuerySchema,
  usable: readonly string[],
): Refusal {
  const missing = findDefaultName(column, schema)
  if (missing !== undefined)
    return { message: `unknown result ${quote(column)} in parameter ${quote(name)}: ${missing}` }
  return unknownFilter(name, column, schema, [...results.positions.keys(), ...usable])
}

/** How to ask for a result that is named so by default; undefined where none is. */
export function findDefaultName(name: string, { columns }: QuerySchema): string | undefined {
  for (const [kinds, parameter] of [[MEASURES, 'measures'] as const, [DATE_PARTS, 'group_by'] as const]) {
    for (const kind of kinds) {
      const column = columns.find((one) => name === defaultName(kind, one.name))
      if (column !== undefined) return `add ${kind}(${column.name}) to parameter "${parameter}"`
    }
  }
  return undefined
}
