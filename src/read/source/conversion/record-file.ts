/** A work file of records as the converters write it: UTF-8, comma, LF, double quotes. */

import { closeSync, openSync } from 'node:fs'
import { writeFully } from '../../report/disk.ts'
import type { Budget } from './budget.ts'

const FLUSH_CHARACTERS = 1 << 19
const NEEDS_QUOTES = /[",\r\n]/

export class RecordFile {
  readonly path: string
  private readonly file: number
  private readonly budget: Budget
  private text = ''

  constructor(path: string, budget: Budget) {
    this.path = path
    this.budget = budget
    this.file = openSync(path, 'w', 0o600)
  }

  /** Appends text that is escaped already. @throws CommandError when the file grows too large or the disk is full */
  append(text: string): void {
    this.text += text
    if (this.text.length > FLUSH_CHARACTERS) this.flush()
  }

  appendBytes(bytes: Uint8Array): void {
    this.flush()
    this.budget.take(bytes.length)
    writeFully(this.file, bytes, this.path)
  }

  flush(): void {
    if (this.text === '') return
    const bytes = Buffer.from(this.text, 'utf8')
    this.text = ''
    this.budget.take(bytes.length)
    writeFully(this.file, bytes, this.path)
  }

  /** Writes what is left, and closes. */
  finish(): void {
    this.flush()
    closeSync(this.file)
  }

  /** Closes without writing what is left. */
  abandon(): void {
    closeSync(this.file)
  }
}

/** A text as a cell (RFC 4180). */
export function escapeCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
