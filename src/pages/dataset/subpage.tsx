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
  /** The script of a page that can also be framed and linked with a preview. */
  readonly script?: AssetName
  readonly body: preact.ComponentChildren
}

/** Another page about an open dataset, with a link back to the dataset's page. */
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
    // Otherwise search engines would index each question as a page.
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
