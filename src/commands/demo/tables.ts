/** The sample datasets of the demo, in the order in which they are made. */

import { JOBSEEKERS, SALARIES } from './labour.ts'
import { PUPILS } from './pupils.ts'
import type { SampleTable } from './sample-table.ts'
import { SIRUTA } from './siruta.ts'
import { tradeTable } from './trade.ts'
import { VEHICLES } from './vehicles.ts'

export const SAMPLE_TABLES: readonly SampleTable[] = [
  SIRUTA,
  VEHICLES,
  PUPILS,
  SALARIES,
  tradeTable(2023, 40_000),
  tradeTable(2024, 40_000),
  ...JOBSEEKERS,
]
