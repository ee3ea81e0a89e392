/** A page of rows as it is answered: its bytes, its tag, its `Link` header. */

import { API_VERSION, type Envelope, writeEnvelope } from '../http/envelope.ts'
import type { ListedPage } from '../query/list.ts'
import type { ServedDataset } from '../store/catalog/record.ts'

export interface RenderedPage {
  readonly envelope: Envelope
  readonly etag: string
  /** The `Link` header; undefined when it would be too long. */
  readonly link: string | undefined
  /** Rows in it. */
  readonly rows: number
}

/** Puts a page together. Its bytes are lent, see `writeEnvelope`. */
export function renderPage(listed: ListedPage, served: ServedDataset, etag: string): RenderedPage {
  const { rows, pagination, links, hints } = listed
  const meta = hints === undefined ? metaOf(served) : withMember(metaOf(served), 'hints', hints)
  return {
    envelope: writeEnvelope(rows, pagination, meta, links.json),
    etag,
    link: links.header,
    rows: pagination?.count ?? 0,
  }
}

/** An object as JSON with one member more. */
function withMember(json: string, name: string, value: unknown): string {
  return `${json.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
}

/** `meta` of a version's lists as JSON, but for its end: the moment of the answer. */
const metas = new WeakMap<ServedDataset, string>()

function metaOf(served: ServedDataset): string {
  let meta = metas.get(served)
  if (meta === undefined) {
    const { id, domain, sourceUrl, lastUpdated } = served
    meta = JSON.stringify({
      api_version: API_VERSION,
      dataset: id,
      domain,
      ...(sourceUrl !== null && { source: sourceUrl }),
      last_updated: lastUpdated,
    })
    metas.set(served, meta)
  }
  return meta
}
