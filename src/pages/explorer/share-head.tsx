/** @jsxImportSource preact */
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { View } from '../layout/view.ts'
import { questionAddress } from '../question/question.ts'

/** The size of a dataset's picture, as links to it show it, in pixels. */
export const CARD_SIZE = { width: 1200, height: 630 } as const

interface ShareHeadProps {
  readonly view: View
  readonly record: VersionRecord
  readonly title: string
  /** Whether rows are shown without a key; otherwise there is nothing to embed. */
  readonly isOpen: boolean
}

/** Metadata for other sites in a page about a dataset: where its frame is described, and how a link to it looks. */
export function ShareHead({ view, record, title, isOpen }: ShareHeadProps) {
  const { base, app, language } = view
  const { description, publisher } = record.dataset
  const page = base + questionAddress(view.path, view.parameters)
  const about = description ?? publisher ?? undefined
  return (
    <>
      {isOpen && (
        <link
          rel="alternate"
          type="application/json+oembed"
          title={title}
          href={`${base}/oembed?url=${encodeURIComponent(page)}`}
        />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={app.config.publisher ?? 'Izvor'} />
      <meta property="og:title" content={title} />
      {about && <meta property="og:description" content={about} />}
      <meta property="og:url" content={page} />
      {isOpen && (
        <>
          <meta
            property="og:image"
            content={`${base}/datasets/${record.dataset.id}/summary.png?lang=${language}`}
          />
          <meta property="og:image:width" content={String(CARD_SIZE.width)} />
          <meta property="og:image:height" content={String(CARD_SIZE.height)} />
          <meta property="og:image:alt" content={title} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      <meta property="og:locale" content={language === 'ro' ? 'ro_RO' : 'en_GB'} />
    </>
  )
}
