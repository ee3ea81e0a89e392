/** A draft from an address: fetched once, by the process that reads it. */

import { CommandError } from '../../base/errors.ts'
import { emptiedAtSignal } from '../../read/source/emptied-at-signal.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import { largestDownload } from '../edition/source-record.ts'
import { showAddress } from '../fetch/address.ts'
import { fetchSource } from '../fetch/fetch-source.ts'
import { FOR_PUBLISHERS } from '../fetch/place.ts'
import { roomForDrafts } from './allowance.ts'
import { shareSource } from './draft-objects.ts'
import { type DraftPlace, progressWriter, sayToPublisher } from './draft-place.ts'

/**
 * @returns the draft with its file; null when it is gone, or its file could not be had, which the draft then says
 */
export async function fetchDraft(place: DraftPlace, draft: Draft): Promise<Draft | null> {
  const { catalog, dataDir, folder, order } = place
  const address = draft.address as string
  const work = dataDir.claimWorkFolder()
  using _ = emptiedAtSignal(work.path)
  try {
    const room = await roomForDrafts({ catalog, config: order.settings }, draft)
    const write = progressWriter(folder)
    const fetched = await fetchSource(address, {
      workFolder: work.path,
      only: order.settings.publish_private_addresses ? undefined : FOR_PUBLISHERS,
      maxBytes: Math.min(
        order.settings.max_upload,
        largestDownload(dataDir, order.settings.disk_floor),
        room,
      ),
      onProgress: (bytes, totalBytes) => write({ phase: 'fetching', bytes, totalBytes, rows: 0 }),
    })
    if (fetched === null) throw new Error('nothing was known of the file, and yet it is unchanged')
    const { source, ...about } = fetched
    folder.takeSource(source.path)
    await shareSource(dataDir, draft.id, folder.source)
    const found = {
      fileName: source.name,
      bytes: source.bytes,
      sha256: fetched.sha256,
      fetched: { ...about },
    }
    const changed = { ...found, address: fetched.address, state: 'reading' as const }
    return (await catalog.drafts.change(draft.id, () => changed)) ?? null
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const problem = { code: 'invalid_value', ...sayToPublisher(place, error) } as const
    // A password in the address is not kept.
    const failed = { state: 'failed', problem, address: showAddress(address) } as const
    await catalog.drafts.change(draft.id, () => failed)
    return null
  } finally {
    work.release()
  }
}
