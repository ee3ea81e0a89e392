/** @jsxImportSource preact */
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { View } from '../layout/view.ts'
import { SessionToken } from '../signed-in/session-token.tsx'
import { END_TEXTS } from './texts/welcome-texts.ts'

/** The paths of a desktop service's forms. */
export const DESKTOP_PATHS = { first: '/open', samples: '/open/samples', end: '/open/end' } as const

interface OwnersFormOptions {
  readonly view: View
  readonly session: FoundSession
  readonly path: string
  readonly button: string
  readonly tone?: 'main'
}

/** A form with one button for the owner of a desktop service; works without scripts. */
export function OwnersForm({ view, session, path, button, tone }: OwnersFormOptions) {
  return (
    <form method="post" action={view.link(path)}>
      <SessionToken csrfToken={session.csrfToken} />
      <button type="submit" class={tone}>
        {button}
      </button>
    </form>
  )
}

/** The button that ends the service; shown on a desktop only. */
export function EndService({ view, session }: Pick<OwnersFormOptions, 'view' | 'session'>) {
  const texts = END_TEXTS[view.language]
  if (!view.isOnDesktop) return null
  return (
    <section class="end-service" aria-labelledby="end-title">
      <h2 id="end-title">{texts.heading}</h2>
      <p class="soft">{texts.about}</p>
      <OwnersForm view={view} session={session} path={DESKTOP_PATHS.end} button={texts.end} />
    </section>
  )
}
