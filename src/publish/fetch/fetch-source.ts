/** Fetches a remote source into the work folder, with what its catalogue or address says about it. */

import { join } from 'node:path'
import type { Decision } from '../../read/report/decisions.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import { refuse, type Warning, warn } from '../../read/report/reasons.ts'
import { readHead, type SourceFile } from '../../read/source/source.ts'
import type { FetchedFile } from '../../store/catalog/sources.ts'
import { fileNameOf, holdsSecrets, isCkanAddress, publicUrl, readUrl, showAddress } from './address.ts'
import { findCkanFile, type SourceAbout } from './ckan.ts'
import { type Download, download } from './download.ts'
import type { Guard, NetworkKind } from './place.ts'
import type { FetchLimits } from './watch.ts'

export interface FetchOptions extends Guard {
  readonly workFolder: string
  /** Larger files are refused. */
  readonly maxBytes: number
  /** The file that was fetched last; the result is null when the server says it is unchanged. */
  readonly known?: FetchedFile | undefined
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
  readonly limits?: FetchLimits
}

export interface FetchedSource {
  readonly source: SourceFile
  /** The requested address without secrets; a refresh requests it again. */
  readonly address: string
  /** Of the file's bytes, lower-case hex. */
  readonly sha256: string
  /** The network that the address's host was in. */
  readonly network: NetworkKind
  readonly file: FetchedFile
  readonly about: SourceAbout
  readonly decisions: readonly Decision[]
  readonly warnings: readonly Warning[]
}

/**
 * @param address `https://…`, `http://…` or `ckan:…`
 * @returns null when the server says that the known file is unchanged
 * @throws CommandError `usage` for something that is not an address or does not name a single file, `failed` when it cannot
 * be fetched
 */
export async function fetchSource(address: string, options: FetchOptions): Promise<FetchedSource | null> {
  const { workFolder, limits, resolve, inside, only, known } = options
  const guard = { limits, resolve, inside, only }
  const ckan = isCkanAddress(address) ? await findCkanFile(address, workFolder, guard) : null
  const url = ckan?.url ?? readUrl(address)
  const shown = publicUrl(url)
  const path = join(workFolder, 'source')
  const fetched = await download(url, {
    path,
    maxBytes: options.maxBytes,
    // Validators of another address mean nothing.
    validators: known?.url === shown ? known : undefined,
    ...guard,
    namedBy: ckan?.from,
    onProgress: options.onProgress,
  })
  if (fetched === null) return null
  refusePage(url, fetched)
  const asked = readUrl(address)
  const isOpen = asked.protocol === 'https:' && url.protocol === 'http:'
  return {
    source: { path, name: fileNameOf(url), bytes: fetched.bytes },
    address: showAddress(address),
    sha256: fetched.sha256,
    network: fetched.from.network,
    file: { url: shown, etag: fetched.etag, lastModified: fetched.lastModified },
    about: ckan?.about ?? { source_url: shown },
    decisions: [...(ckan?.decisions ?? []), ...fetched.decisions],
    warnings: [
      ...(holdsSecrets(asked) ? [warn('secret_not_kept', { host: asked.host })] : []),
      ...(isOpen ? [warn('not_encrypted', { address: shown })] : []),
    ],
  }
}

/** @throws CommandError `failed` when a server sends a page; the ingest refuses pages with another content type */
function refusePage(asked: URL, { contentType, path }: Download): void {
  if (!/^(text\/html|application\/xhtml)/i.test(contentType)) return
  const head = new TextDecoder()
    .decode(readHead(path, 0, 512))
    .replace(/^\ufeff/, '')
    .trimStart()
  if (!head.startsWith('<')) return
  const advice = /\/dataset\/[^/]+/.test(asked.pathname)
    ? `if it is a package of a CKAN catalogue, ckan:${publicUrl(asked)} takes its data`
    : publicUrl(asked)
  throw refuse('html_page', {}, advice)
}
