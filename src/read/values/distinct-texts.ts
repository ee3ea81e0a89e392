/** The distinct cells of a column as trimmed texts: all of them, or a few spread over all. */

import { decodeText, trimEnd, trimStart } from './cell-text.ts'
import type { RawColumn } from './inference.ts'

/** Enough to see whether a column has a trait at all. */
const SAMPLED = 1000
const READABLE = 60

export interface DistinctText {
  /** Cell id, from 1. */
  readonly cell: number
  readonly text: string
}

/** Every distinct cell that is not blank. Cells of one text but other outer white space come each on their own. */
export function* distinctTexts({ heap, offsets }: RawColumn): Generator<DistinctText> {
  for (let cell = 1; cell < offsets.length; cell++) {
    const text = readCell(heap, offsets, cell)
    if (text !== '') yield { cell, text }
  }
}

/** At most a thousand of them, at even distances: a file may be sorted. */
export function sampleTexts({ heap, offsets }: RawColumn): string[] {
  const cells = offsets.length - 1
  const step = Math.max(1, cells / SAMPLED)
  const texts: string[] = []
  for (let at = 0; at < cells; at += step) {
    const text = readCell(heap, offsets, Math.floor(at) + 1)
    if (text !== '') texts.push(text)
  }
  return texts
}

/** A text on one line, cut to a readable length. */
export function shorten(text: string, length: number = READABLE): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a terminal
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
  // A cell may be as long as a file: only its beginning is taken apart.
  const characters = [...line.slice(0, length * 4)]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line
}

function readCell(heap: Uint8Array, offsets: Uint32Array, cell: number): string {
  const from = offsets[cell - 1] as number
  const end = trimEnd(heap, from, offsets[cell] as number)
  return decodeText(heap, trimStart(heap, from, end), end)
}
