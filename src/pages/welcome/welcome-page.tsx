/** @jsxImportSource preact */
/** The first page of a desktop service, for a person who knows nothing about it. */

import type { ComponentChildren } from 'preact'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import { accountHeaders } from '../../http/respond.ts'
import { respondPageWith } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { DESKTOP_PATHS, EndService, OwnersForm } from './end-service.tsx'
import { END_TEXTS, WELCOME_TEXTS } from './texts/welcome-texts.ts'

/** @param note the result of the last step */
export function answerWelcomePage(
  view: View,
  session: FoundSession,
  note: 'samplesComing' | null = null,
): Response {
  const texts = WELCOME_TEXTS[view.language]
  return respondPageWith(view, 200, accountHeaders(view.exchange), {
    title: texts.title,
    section: 'open',
    isPrivate: true,
    body: (
      <>
        <div class="hero">
          <h1>{texts.heading}</h1>
          <p class="lead">{texts.lead}</p>
        </div>
        {note !== null && (
          <p class="note" role="status">
            {texts[note]}
          </p>
        )}
        <div class="grid">
          <Step title={texts.publish} text={texts.publishText}>
            <a class="button main" href={view.link('/publish')}>
              {texts.publishButton}
            </a>
          </Step>
          <Look view={view} session={session} isComing={note === 'samplesComing'} />
          <Step title={texts.share} text={texts.shareText}>
            <a class="button" href={view.link('/operate/setup')}>
              {texts.shareButton}
            </a>
          </Step>
        </div>
        <p class="small soft">{texts.place(view.app.dataDir.root)}</p>
        <EndService view={view} session={session} />
      </>
    ),
  })
}

/** Offers sample data while nothing is published, then the catalog. */
function Look({ view, session, isComing }: { view: View; session: FoundSession; isComing: boolean }) {
  const texts = WELCOME_TEXTS[view.language]
  const isEmpty = !isComing && view.app.catalog.totals().datasets === 0
  return isEmpty ? (
    <Step title={texts.samples} text={texts.samplesText}>
      <OwnersForm view={view} session={session} path={DESKTOP_PATHS.samples} button={texts.samplesButton} />
    </Step>
  ) : (
    <Step title={texts.look} text={texts.lookText}>
      <a class="button" href={view.link('/')}>
        {texts.lookButton}
      </a>
    </Step>
  )
}

function Step({ title, text, children }: { title: string; text: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  )
}

/** The page for visitors who are not signed in as the owner. @param isUsed whether their token is no longer valid */
export function answerClosedPage(view: View, isUsed = false): Response {
  const { closed, closedText, entryUsed } = WELCOME_TEXTS[view.language]
  return isUsed
    ? respondNotice(view, 422, closed, [entryUsed, closedText])
    : respondNotice(view, 200, closed, [closedText])
}

/** The last page, shown while the service ends. */
export function answerEndedPage(view: View): Response {
  const texts = END_TEXTS[view.language]
  return respondNotice(view, 200, texts.ended, [texts.endedText], true)
}

function respondNotice(
  view: View,
  status: number,
  title: string,
  paragraphs: readonly string[],
  isLast = false,
): Response {
  return respondPageWith(view, status, accountHeaders(view.exchange), {
    title,
    isPrivate: true,
    isLast,
    body: (
      <div class="prose">
        <h1>{title}</h1>
        {paragraphs.map((text) => (
          <p>{text}</p>
        ))}
      </div>
    ),
  })
}
