/** @jsxImportSource preact */
import type { ServedDataset } from '../../store/catalog/record.ts'
import { ShareHead } from '../explorer/share-head.tsx'
import type { AssetName } from '../layout/assets.ts'
import type { Page } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { DATASET_TEXTS } from '../texts/dataset.ts'

interface Subpage {
  readonly title: string
  /** By default the title. */
  readonly heading?: string
  /** Of a page that frames and links of other sites show. */
  readonly script?: AssetName
  readonly body: preact.ComponentChildren
}

/** A page that shows an open dataset in another way than its own page, to which it leads back. */
export function subpage(view: View, { id }: ServedDataset, { title, heading, script, body }: Subpage): Page {
  const record = view.app.catalog.record(id)!
  const texts = DATASET_TEXTS[view.language]
  return {
    title,
    section: 'catalog',
    ...(script && {
      scripts: [script],
      head: <ShareHead view={view} record={record} title={title} isOpen />,
    }),
    // Each question would be another page to search engines.
    isPrivate: view.parameters.length > 0,
    body: (
      <>
        <header class="dataset-head">
          <nav class="crumbs" aria-label={texts.crumbs}>
            <a href={view.link('/')}>{texts.catalog}</a> ›{' '}
            <a href={view.link(`/datasets/${id}`)}>{record.dataset.title}</a>
          </nav>
          <h1>{heading ?? title}</h1>
        </header>
        {body}
      </>
    ),
  }
}
