/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import type { DraftSummary } from '../../../publish/drafts/describe-draft.ts'
import type { KeptVersion } from '../../../publish/published/published.ts'
import { accountLink } from '../../account/account-places.ts'
import { CodeBox } from '../../parts/code-box.tsx'
import { showCopyButtons } from '../../parts/copy-buttons.ts'
import { change } from '../../signed-in/api.ts'
import { AskButton, type AskOptions } from '../../signed-in/dialog.tsx'
import { useRead } from '../../signed-in/loading.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Button, Section } from '../../signed-in/section.tsx'
import { DESK_TEXTS } from '../../texts/desk.ts'
import { DRAFT_TEXTS } from '../../texts/desk-draft.ts'
import { DESK_API, deskPath, goHome } from '../desk-places.ts'
import { ReasonTexts } from '../reasons.tsx'
import type { DraftViewOptions } from './use-draft.ts'

export function DraftOutcome(options: DraftViewOptions) {
  const texts = useTexts(DRAFT_TEXTS)
  const { draft, desk } = options
  if (draft.state === 'failed')
    return (
      <Section class="card" id="outcome-title" title={texts.failed}>
        {draft.problem && (
          <div class="note bad">
            <ReasonTexts problem={draft.problem} />
          </div>
        )}
        <div class="row">
          <Button class="main" onPress={() => desk.decide({})}>
            {texts.retry}
          </Button>
          <DraftRemoval draft={draft} label={texts.removeDraft} onRemoved={() => goHome(options.facts)} />
        </div>
      </Section>
    )
  return <Published {...options} />
}

function Published(options: DraftViewOptions) {
  const { facts, draft } = options
  const language = useLanguage()
  const texts = useTexts(DRAFT_TEXTS)
  useEffect(() => showCopyButtons(), [])
  const { dataset, published } = draft
  const title = dataset.title ?? dataset.id
  const version = published?.version ?? 1
  return (
    <Section
      class="card"
      id="outcome-title"
      title={draft.state === 'published' ? texts.published : texts.unchangedTitle}
    >
      <p role="status" class="note good">
        {draft.state === 'published' ? texts.publishedText(title, version) : texts.unchangedText(title)}
      </p>
      {draft.late_nodes !== undefined && (
        <p class="note">{texts.lateNodes(draft.late_nodes.map(({ name }) => name).join(', '))}</p>
      )}
      <h3>{texts.share}</h3>
      <CodeBox language={language} label={texts.share} text={`${facts.base}/datasets/${dataset.id}`} />
      <h3>{texts.api}</h3>
      <CodeBox language={language} label={texts.api} text={`${facts.base}${published?.endpoint ?? ''}`} />
      <div class="row">
        <a class="button main" href={accountLink(facts, `/datasets/${dataset.id}`)}>
          {texts.see}
        </a>
        <a class="button" href={accountLink(facts, deskPath({ page: 'dataset', id: dataset.id }))}>
          {texts.manage}
        </a>
        <a class="button" href={accountLink(facts, deskPath({ page: 'home' }))}>
          {texts.another}
        </a>
        <a class="button" href={`${DESK_API}/drafts/${draft.id}/definition`} download>
          {texts.definition}
        </a>
        {draft.state === 'published' && <Undo {...options} version={version} />}
      </div>
    </Section>
  )
}

function Undo({ draft, version }: DraftViewOptions & { version: number }) {
  const texts = useTexts(DRAFT_TEXTS)
  const path = `${DESK_API}/datasets/${draft.dataset.id}/versions`
  const versions = useRead<KeptVersion[]>(path)
  const [isUndone, setUndone] = useState(false)
  const before = versions.value?.find((kept) => kept.version < version)?.version
  if (before === undefined) return null
  return (
    <>
      {!isUndone && (
        <AskButton
          id="undo"
          title={texts.undoTitle}
          text={texts.undoText(before)}
          submit={texts.undo(before)}
          send={async () => {
            await change('POST', `${path}/${before}/serve`)
            return () => setUndone(true)
          }}
        />
      )}
      <span role="status">{isUndone && texts.undone(before)}</span>
    </>
  )
}

interface RemovalOptions extends Pick<AskOptions, 'label' | 'class' | 'about'> {
  readonly draft: DraftSummary
  readonly onRemoved: () => void
}

export function DraftRemoval({ draft, onRemoved, ...button }: RemovalOptions) {
  const texts = useTexts(DESK_TEXTS)
  return (
    <AskButton
      {...button}
      id="remove-draft"
      title={texts.removeDraftTitle(draft.file.name)}
      text={texts.removeDraftText}
      submit={texts.remove}
      tone="danger"
      send={async () => {
        await change('DELETE', `${DESK_API}/drafts/${draft.id}`)
        return onRemoved
      }}
    />
  )
}
