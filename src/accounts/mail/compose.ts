/** A mail's subject, text and HTML, from its kind and language. */

import type { Language } from '../../base/text/language.ts'
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
  /** What the text names in braces, beside `{host}` and `{time}`. */
  readonly facts: Readonly<Record<string, string>>
}

/** Pages that read the token from the fragment and redeem it with a POST. */
const LINK_PATHS: Partial<Record<MailKind, string>> = {
  verify: '/account/verify',
  reset: '/account/reset',
  invitation: '/account/reset',
}

/** A paragraph of which nothing is known stays out. */
export function composeMessage(message: MessageFacts): Message {
  const { language, kind, base, at } = message
  const { subject, before, button, after = [] } = MAIL_TEXTS[language][kind]
  const link = linkOf(message)
  const facts = new Map(Object.entries({ ...message.facts, host: new URL(base).host, time: writeMoment(at) }))
  // In one pass: a fact may hold braces of its own.
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => facts.get(name) ?? whole)
  const paragraphs = (texts: readonly string[]) => texts.map(fill).filter((text) => text !== '')
  const closing = fill(CLOSING[language])
  const first = paragraphs(before)
  const last = paragraphs(after)
  return {
    subject: fill(subject),
    text: [...first, ...(link ? [link] : []), ...last, `-- \n${closing}`].join('\n\n'),
    html: renderHtml(language, first, link && button ? { link, button } : undefined, last, closing),
  }
}

/** An RFC 3339 timestamp for people, to the minute: `2025-03-01 10:00`. */
export function writeMoment(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}

/** The address of the page that redeems a token; the token is in the fragment, which no server or proxy sees. */
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
  const paragraph = (text: string) => `<p>${Bun.escapeHTML(text).replaceAll('\n', '<br>')}</p>`
  const button = action
    ? `<p><a href="${Bun.escapeHTML(action.link)}">${Bun.escapeHTML(action.button)}</a></p>` +
      `<p>${Bun.escapeHTML(action.link)}</p>`
    : ''
  const body = [...before.map(paragraph), button, ...after.map(paragraph), '<hr>', paragraph(closing)]
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${body.join('\n')}</body></html>`
}
