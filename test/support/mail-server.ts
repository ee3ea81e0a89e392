/** A real mail server on loopback that keeps every mail. Use it inside a test, or close it in `afterAll`. */

import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface Mail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The mail as it was sent. */
  readonly raw: string
  /** The address in the text, when there is one. */
  readonly link: string | undefined
  /** The token in the link's fragment. */
  readonly token: string
}

export interface MailServer {
  readonly url: string
  readonly mails: Mail[]
  /** The newest mail with a link to an address, once there are `count` of them. */
  linkTo(email: string, count?: number): Promise<string>
  /** Answers the next recipient with an error of this code. */
  refuseNext(code: number): void
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = []
  const arrivals = new EventTarget()
  const refusals: number[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = refusals.shift()
      if (responseCode === undefined) return callback()
      callback(Object.assign(new Error(`no mailbox ${address}`), { responseCode }))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        mails.push(readMail(Buffer.concat(chunks).toString(), from, rcptTo[0]?.address ?? ''))
        arrivals.dispatchEvent(new Event('mail'))
        callback()
      })
    },
  })
  server.on('error', () => {}) // In some tests the client hangs up early.
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async linkTo(email, count = 1) {
      for (;;) {
        const links = mails.filter(({ to, link }) => to === email && link !== undefined)
        if (links.length >= count) return links.at(-1)!.link!
        await new Promise((resolve) => arrivals.addEventListener('mail', resolve, { once: true }))
      }
    },
    refuseNext: (code) => void refusals.push(code),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** Parses a mail of two alternatives, text and HTML (RFC 2045-2047, as far as this program writes them). */
function readMail(raw: string, from: string, to: string): Mail {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1] ?? ''
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`).slice(1, 3).map(readPart)
  const [text = '', html = ''] = parts
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  return {
    from,
    to,
    subject: decodeWords(subject),
    text,
    html,
    raw,
    link,
    token: link?.split('#token=')[1] ?? '',
  }
}

function readPart(part: string): string {
  const split = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, split), part.slice(split + 4)]
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  return /quoted-printable/i.test(head) ? decodeQuoted(body.replaceAll('=\r\n', '')) : body
}

function decodeQuoted(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
}

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(Q|B)\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}
