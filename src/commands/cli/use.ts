/** The use of datasets in the shell: how much was read with keys and on the open pages. */

import type { FoundUse, Use, UseDimension, UseQuery } from '../../accounts/usage/dataset-use.ts'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import { type NamedUse, periodOf } from '../../publish/published/use.ts'
import type { Cli } from './cli.ts'
import { formatBytes, printTable, type TableColumns } from './print.ts'

/** How far back commands look, today included. */
export const USE_DAYS = 30

/** The use of the last days, the most calls first. */
export function useOf(
  usage: UsageRecorder,
  query: Pick<UseQuery, 'by'> & Partial<Pick<UseQuery, 'datasets' | 'keyIds'>>,
  now: Date,
): Promise<FoundUse> {
  const all = { datasets: null, keyIds: null, limit: 1_000_000, offset: 0 }
  return usage.use({ ...all, ...query, ...periodOf(USE_DAYS, now) })
}

export function sumUse(parts: readonly Use[]): Use {
  const sum = (count: (use: Use) => number) => parts.reduce((all, use) => all + count(use), 0)
  return { calls: sum(({ calls }) => calls), rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) }
}

const COLUMNS: Readonly<Record<UseDimension, TableColumns<NamedUse>>> = {
  day: { day: 'day' },
  dataset: { dataset: 'dataset' },
  key: {
    'read with': ({ via, key_id, label }) => {
      if (via === 'pages') return 'the open pages'
      return via === 'key' ? `key ${key_id}, ${label}` : 'keys deleted since'
    },
  },
  format: { as: 'format' },
}

/** Prints nothing when nothing was read. */
export function printUse(cli: Cli, use: readonly NamedUse[], by: readonly UseDimension[]): void {
  if (use.length === 0) return
  cli.print('\n')
  printTable(cli, use, {
    ...Object.assign({}, ...by.map((dimension) => COLUMNS[dimension])),
    [`calls, ${USE_DAYS} days`]: 'calls',
    rows: 'rows',
    sent: ({ bytes }) => formatBytes(bytes),
  })
}
