/** After a start: the columns of the datasets that were read last are loaded, before somebody waits for them. */

import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { dayName, dayNumber } from '../../accounts/usage/calendar.ts'
import type { App } from '../../app.ts'
import { DamagedFileError } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { defaultCeiling } from '../../engine/memory/memory-ceiling.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'

/** In ms: the first requests come first. */
const AFTER = 1000
/** Use is known by day. */
const DAYS = 7
const MOST_OF_A_DAY = 100
/** Of the memory for open datasets, or of all where that is less, with those that were opened meanwhile. */
const SHARE = 0.25

/** Begins a second later, and ends when the signal fires or where there is no more memory; then requests load the rest. */
export async function startWarmUp(app: App, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(AFTER, undefined, { signal, ref: false })
    await warmUp(app, signal)
  } catch (error) {
    if (!signal.aborted) app.log.debug({ err: error }, 'no more columns are loaded ahead')
  }
}

/** The last day's datasets first, of each day those with most calls; only files that are here, and fit. */
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
        // The status names the dataset.
        if (!(error instanceof DamagedFileError)) throw error
      }
    }
  }
}

/** What pages show, column by column: requests for the dataset begin between two. */
async function loadPage(dataset: OpenDataset, signal?: AbortSignal): Promise<void> {
  for (const column of dataset.columns.keys()) {
    signal?.throwIfAborted()
    await ownRound()
    await dataset.load([[[column], 'json']])
  }
}
