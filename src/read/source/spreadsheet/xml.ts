/**
 * XML as events, read as a stream. Entities of the document are never expanded: a document that declares any is refused.
 */

import { Parser } from 'htmlparser2'
import type { Entry } from 'yauzl'
import type { CommandError } from '../../../base/errors.ts'
import { refuse } from '../../report/reasons.ts'
import { findByteOrderMark } from '../encoding/encoding-names.ts'
import type { ZipPackage } from '../unpack.ts'

export type Attributes = Readonly<Record<string, string>>

/** Names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void
  /** Text comes in pieces. */
  text?(text: string): void
  close?(name: string): void
}

/** @throws CommandError `refused` when the part is not well-formed XML or declares entities */
export async function readXml(archive: ZipPackage, entry: Entry, handler: XmlHandler): Promise<void> {
  const part = entry.fileName
  let depth = 0
  let elements = 0
  let justOpened = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        elements++
        justOpened = true
        handler.open?.(localName(name), attributes)
      },
      ontext(text) {
        handler.text?.(text)
      },
      onclosetag(name, implied) {
        // `<a/>` closes itself; any other element without an end tag was cut off.
        if (implied && !justOpened) throw malformed(part)
        depth--
        justOpened = false
        handler.close?.(localName(name))
      },
      onprocessinginstruction(name, data) {
        if (name.toLowerCase() === '!doctype' && /\[|<!ENTITY/i.test(data))
          throw refuse('unsafe_file', {}, `${part} declares entities of its own`)
      },
      onerror(error) {
        throw error
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  let decoder: TextDecoder | null = null
  /** A line end that the next chunk may continue. */
  let held = ''
  for await (const chunk of archive.read(entry)) {
    if (decoder === null) {
      const wide = findByteOrderMark(chunk)?.encoding
      decoder = new TextDecoder(wide === 'utf-16le' || wide === 'utf-16be' ? wide : 'utf-8')
    }
    const text = held + decoder.decode(chunk, { stream: true })
    held = text.endsWith('\r') ? '\r' : ''
    const whole = held === '' ? text : text.slice(0, -1)
    // Every line end is one line feed (XML 1.0, 2.11).
    parser.write(whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole)
  }
  if (depth > 0 || elements === 0) throw malformed(part)
  parser.end()
}

/** An attribute by its name without prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const plain = attributes[name]
  if (plain !== undefined) return plain
  const ending = `:${name}`
  for (const key in attributes) if (key.endsWith(ending)) return attributes[key]
  return undefined
}

function malformed(part: string): CommandError {
  return refuse('damaged_file', {}, `${part} is not well-formed XML`)
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
