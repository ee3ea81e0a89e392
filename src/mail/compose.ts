/** A mail's subject, text and HTML, from its kind and language. */

import type { Language } from './language.ts'
import type { MailKind } from './queue.ts'
import { CLOSING, MAIL_TEXTS } from './texts.ts'

export interface Message {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MessageFacts {
  readonly kind: MailKind
  readonly language: Language
  /** The service's address, without a slash at the end. */
  readonly base: string
  /** When it happened, RFC 3339 UTC. */
  readonly at: string
  /** For the kinds that carry a link. */
  readonly token: string | null
}

/** Pages that read the token from the fragment and redeem it with a POST. */
const LINK_PATHS: Partial<Record<MailKind, string>> = {
  verify: '/account/verify',
  reset: '/account/reset',
  invitation: '/account/reset',
}

export function composeMessage(facts: MessageFacts): Message {
  const { subject, before, button, after = [] } = MAIL_TEXTS[facts.language][facts.kind]
  const link = linkOf(facts)
  const fill = (text: string) =>
    text
      .replace('{host}', new URL(facts.base).host)
      .replace('{time}', facts.at.slice(0, 16).replace('T', ' '))
  const closing = fill(CLOSING[facts.language])
  const first = before.map(fill)
  const last = after.map(fill)
  return {
    subject: fill(subject),
    text: [...first, ...(link ? [link] : []), ...last, `-- \n${closing}`].join('\n\n'),
    html: renderHtml(facts.language, first, link && button ? { link, button } : undefined, last, closing),
  }
}

/** The address of the page that redeems a token; the token stands in the fragment, which no server or proxy sees. */
export function linkOf({
  kind,
  base,
  token,
}: Pick<MessageFacts, 'kind' | 'base' | 'token'>): string | undefined {
  const path = LINK_PATHS[kind]
  return path === undefined || token === null ? undefined : `${base}${path}#token=${token}`
}

function renderHtml(
  language: Language,
  before: readonly string[],
  action: { link: string; button: string } | undefined,
  after: readonly string[],
  closing: string,
): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const button = action
    ? `<p><a href="${escapeHtml(action.link)}">${escapeHtml(action.button)}</a></p>` +
      `<p>${escapeHtml(action.link)}</p>`
    : ''
  const body = [...before.map(paragraph), button, ...after.map(paragraph), '<hr>', paragraph(closing)]
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${body.join('\n')}</body></html>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
