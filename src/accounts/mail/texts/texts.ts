/**
 * What the mails say. `{host}` is the service's public name, `{time}` the moment of the event (UTC); other words in
 * braces are the mail's facts. Those of alerts come from `upkeep/alerts.ts`.
 */

import type { MailKind } from '../queue.ts'

interface MailText {
  readonly subject: string
  /** Paragraphs, before the link when there is one. */
  readonly before: readonly string[]
  /** What the link's button says; only for kinds that carry a link. */
  readonly button?: string
  readonly after?: readonly string[]
}

export type MailTexts = Readonly<Record<MailKind, MailText>> & {
  /** The last line of every mail. */
  readonly closing: string
}
