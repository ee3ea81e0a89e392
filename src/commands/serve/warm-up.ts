/** After a start, loads the columns of the datasets that were read last, before somebody waits for them. */

import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { dayName, dayNumber } from '../../accounts/usage/calendar.ts'
import type { App } from '../../app.ts'
import { DamagedFileError } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { defaultCeiling } from '../../engine/memory/memory-ceiling.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'

/** In ms: the first requests are answered first. */
const AFTER = 1000
const DAYS = 7
const MOST_OF_A_DAY = 100
/** Of the memory for open datasets, or of all memory if that is less; datasets opened meanwhile count. */
const SHARE = 0.25

/** Begins a second later, and ends when the signal fires or memory runs out; requests load the rest. */
export async function startWarmUp(app: App, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(AFTER, undefined, { signal, ref: false })
    await warmUp(app, signal)
  } catch (error) {
    if (!signal.aborted) app.log.debug({ err: error }, 'no more columns are loaded ahead')
  }
}

/** Goes back day by day, the datasets with most calls first; only files that are on this disk and fit. */
export async function warmUp(app: App, signal?: AbortSignal): Promise<void> {
  const { catalog, config, now, openDatasets, usage } = app
  const most = Math.min(config.memory_budget, config.memory_ceiling ?? defaultCeiling()) * SHARE
  const today = dayNumber(now())
  for (let day = today; day > today - DAYS; day--) {
    const [from, to] = [dayName(day), dayName(day)]
    const everywhere = { datasets: null, keyIds: null, limit: MOST_OF_A_DAY, offset: 0 }
    const { rows } = await usage.logs.use({ ...everywhere, from, to, by: ['dataset'] })
    for (const { dataset } of rows) {
      const served = catalog.find(dataset!)
      const size = served && statSync(served.file, { throwIfNoEntry: false })?.size
      if (size === undefined || openDatasets.bytes + size > most) continue
      try {
        await openDatasets.use(served!, (opened) => loadPage(opened, signal))
      } catch (error) {
        // The service's status reports the dataset.
        if (!(error instanceof DamagedFileError)) throw error
      }
    }
  }
}

/** Loads what pages show column by column, so that requests for the dataset can begin in between. */
async function loadPage(dataset: OpenDataset, signal?: AbortSignal): Promise<void> {
  for (const column of dataset.columns.keys()) {
    signal?.throwIfAborted()
    await ownRound()
    await dataset.load([[[column], 'json']])
  }
}
