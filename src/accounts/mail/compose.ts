/** A mail's subject, text and HTML, from its kind and language. */

import { createHmac } from 'node:crypto'
import type { Language } from '../../base/text/language.ts'
import type { MailKind } from './queue.ts'
import { MAIL_TEXTS } from './texts/mail-texts.ts'

/** Pages that read the token from the fragment and redeem it with a POST. */
const LINK_PATHS: Partial<Record<MailKind, string>> = {
  verify: '/account/verify',
  reset: '/account/reset',
  invitation: '/account/reset',
}

/**
 * Leaves out paragraphs that are empty once filled in.
 * @param message with the service's address (no slash at the end), the moment of the event (RFC 3339 UTC), the token for
 *   kinds that carry a link, and the values that the text names in braces besides `{host}` and `{time}`
 */
export function composeMessage(message: {
  readonly kind: MailKind
  readonly language: Language
  readonly base: string
  readonly at: string
  readonly token: string | null
  readonly facts: Readonly<Record<string, string>>
}) {
  const { language, kind, base, at } = message
  const texts = MAIL_TEXTS[language]
  const { subject, before, button, after = [] } = texts[kind]
  const link = linkOf(message)
  const facts = new Map(Object.entries({ ...message.facts, host: new URL(base).host, time: writeMoment(at) }))
  // In one pass: a fact may hold braces of its own.
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => facts.get(name) ?? whole)
  const paragraphs = (texts: readonly string[]) => texts.map(fill).filter((text) => text !== '')
  const closing = fill(texts.closing)
  const first = paragraphs(before)
  const last = paragraphs(after)
  const html = (text: string) => `<p>${Bun.escapeHTML(text).replaceAll('\n', '<br>')}</p>`
  const address = link && Bun.escapeHTML(link)
  const action =
    link && button ? `<p><a href="${address}">${Bun.escapeHTML(button)}</a></p><p>${address}</p>` : ''
  const body = [...first.map(html), action, ...last.map(html), '<hr>', html(closing)]
  return {
    subject: fill(subject),
    text: [...first, ...(link ? [link] : []), ...last, `-- \n${closing}`].join('\n\n'),
    html: `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>${body.join('\n')}</body></html>`,
  }
}

/** An RFC 3339 timestamp for people, to the minute: `2025-03-01 10:00`. */
export function writeMoment(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}

/** The address of the page that redeems a token; the token is in the fragment, which no server or proxy sees. */
export function linkOf(mail: { kind: MailKind; base: string; token: string | null }): string | undefined {
  const { kind, base, token } = mail
  const path = LINK_PATHS[kind]
  return path === undefined || token === null ? undefined : `${base}${path}#token=${token}`
}

/** Name of the data directory's secret from which link tokens are derived. */
export const LINK_SECRET = 'mail-links'

/**
 * The token in a mailed link, 43 characters of base64url: HMAC-SHA256 (RFC 2104) of its row's id with that secret.
 *
 * Lifetime: that of the row, 24 hours or 30 minutes, and one use. Threat: a copy of the database or of the mail queue;
 * neither holds a token. Each attempt to send derives it again, and it exists only in the mail, in the fragment of the
 * link (which browsers do not send to servers), and in the request that redeems it. Only its SHA-256 is stored.
 */
export function deriveLinkToken(secret: Uint8Array, tokenId: string): string {
  return createHmac('sha256', secret).update(tokenId).digest('base64url')
}
