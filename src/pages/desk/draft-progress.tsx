/** @jsxImportSource preact */

/** How far a file is: fetched, read, published. */

import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { DRAFT_TEXTS } from '../texts/desk-draft.ts'
import { formatBytes, formatNumber } from '../texts/format.ts'
import { DraftRemoval } from './draft-removal.tsx'
import type { DraftViewOptions } from './draft-view.ts'
import { ProgressBar } from './progress-bar.tsx'

export function DraftProgress(options: DraftViewOptions) {
  const { draft } = options
  const texts = useTexts(DRAFT_TEXTS)
  return (
    <section class="card" aria-labelledby="progress-title">
      <h2 id="progress-title">{titleOf(texts, draft)}</h2>
      <Progress draft={draft} />
      <p class="soft small">{texts.mayLeave}</p>
      {draft.state !== 'publishing' && <DraftRemoval {...options} label={texts.cancel} />}
    </section>
  )
}

type Titles = Readonly<Record<'receiving' | 'waiting' | 'reading' | 'publishing', string>>

function titleOf(titles: Titles, { state }: DraftBody): string {
  return Object.hasOwn(titles, state) ? titles[state as keyof Titles] : titles.reading
}

/** The step and how far it is. */
export function Progress({ draft: { progress, state } }: { draft: DraftBody }) {
  const language = useLanguage()
  const texts = useTexts(DRAFT_TEXTS)
  if (progress === null)
    return <ProgressBar label={texts.progress} done={0} total={null} text={texts.starting} />
  const { phase, bytes, total_bytes: total, rows } = progress
  const size = (value: number) =>
    phase === 'writing' ? formatNumber(language, value) : formatBytes(language, value)
  const far = total === null ? size(bytes) : texts.of(size(bytes), size(total))
  const counted = rows > 0 && phase === 'reading' ? ` · ${texts.rows(rows)}` : ''
  const step = state === 'waiting' ? texts.starting : `${texts[`phase_${phase}`]}: ${far}${counted}`
  return <ProgressBar label={texts.progress} done={bytes} total={total} text={step} />
}
