/**
 * The program as its own helper: it does one piece of work for the process that started it, without loading the
 * commands, which would take longer than reading many files does.
 */

import { CONVERTER, DRAFT_WORKER } from './base/process/own-command.ts'

const FAILED = 1

/** The helper that each word starts, with its argument. */
const HELPERS: Readonly<Record<string, (order: string) => Promise<void>>> = {
  [CONVERTER]: async (order) => (await import('./read/source/conversion/converter.ts')).runConverter(order),
  [DRAFT_WORKER]: async (order) =>
    (await import('./publish/drafts/draft-worker.ts')).workOnDraft(order, async (place, dataset) =>
      (await import('./pages/picture/draw-pictures.ts')).drawAfter(place, dataset),
    ),
}

const [word = '', order = ''] = process.argv.slice(2)
try {
  await HELPERS[word]?.(order)
  process.exit(0)
} catch (error) {
  process.stderr.write(`izvor: unexpected failure: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(FAILED)
}
