/** How a draft begins: with a file that was received, or an address to fetch one from. */

import { holdsDomain } from '../../accounts/keys/scopes.ts'
import { type Publisher, requireDomain } from '../../accounts/people/publisher.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type Draft, type NewDraft, newDraftId } from '../../store/catalog/drafts.ts'
import { fileNameOf, isAddress, readUrl, showAddress } from '../fetch/address.ts'
import { freeName, guessDataset } from './decisions.ts'
import type { Desk } from './desk.ts'
import { keepSource } from './draft-objects.ts'
import { refuseManyDrafts } from './draft-order.ts'
import type { ReceivedFile } from './receive-file.ts'

/** Of a file that was received. @throws ApiError as `newDraft` and `refuseManyDrafts` */
export async function addUpload(
  desk: Desk,
  publisher: Publisher,
  { path, bytes, work }: ReceivedFile,
  named: { readonly fileName: string; readonly dataset: string | undefined },
): Promise<Draft> {
  try {
    const draft = { ...newDraft(desk, publisher, named), state: 'waiting' as const, bytes, address: null }
    const id = newDraftId()
    await keepSource(desk.dataDir, id, path)
    const added = await desk.catalog.drafts.add(
      draft,
      (held) => refuseManyDrafts(desk.config, held, bytes),
      (folder) => folder.takeSource(path),
      id,
    )
    desk.draftWork.wake()
    return added
  } finally {
    work.release()
  }
}

/** @throws ApiError `invalid_value` for what is not an address; as `newDraft` and `refuseManyDrafts` */
export async function addAddress(
  desk: Desk,
  publisher: Publisher,
  source: string,
  dataset: string | undefined,
): Promise<Draft> {
  const address = source.trim()
  const fileName = nameOfAddress(address)
  const known = desk.catalog.sources.list().find((one) => one.address === showAddress(address))?.dataset
  const found = known === undefined ? undefined : desk.catalog.find(known)
  const isOpen = found !== undefined && holdsDomain(publisher.domains, found.domain)
  const named = { fileName, dataset: dataset ?? (isOpen ? known : undefined) }
  const draft = { ...newDraft(desk, publisher, named), state: 'receiving' as const, bytes: null, address }
  const added = await desk.catalog.drafts.add(draft, (held) => refuseManyDrafts(desk.config, held, 0))
  desk.draftWork.wake()
  return added
}

function nameOfAddress(address: string): string {
  try {
    if (isAddress(address)) return fileNameOf(readUrl(address))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
  const message = `${showAddress(address)} is not an address: it begins with https://, http:// or ckan:`
  throw new ApiError('invalid_value', `${message}.`, [{ location: 'body.source', message: `${message}.` }])
}

/** @throws ApiError `dataset_not_found`, `role_missing`, `scope_missing` for a dataset that is named */
function newDraft(
  { catalog, now }: Desk,
  publisher: Publisher,
  { fileName, dataset: named }: { readonly fileName: string; readonly dataset: string | undefined },
): Omit<NewDraft, 'state' | 'bytes' | 'address'> {
  const { accountId, keyId, domains } = publisher
  const found = named === undefined ? undefined : catalog.find(named)
  if (named !== undefined && found === undefined)
    throw new ApiError('dataset_not_found', `There is no dataset '${named}' to make an edition of.`)
  if (found !== undefined) requireDomain(publisher, found.domain)
  const dataset = named ?? guessDataset(catalog, fileName, (domain) => holdsDomain(domains, domain))
  const [domain] = domains === 'all' ? [] : domains
  const id = freeName(catalog, fileName)
  const changes = {
    ...(dataset === null && domain !== undefined && domains.length === 1 && { domain }),
    ...(dataset === null && id !== null && { id }),
  }
  const at = formatTimestamp(now())
  return { accountId, keyId, fileName, dataset, changes, sha256: null, fetched: null, createdAt: at }
}
