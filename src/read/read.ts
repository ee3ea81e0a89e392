/**
 * Reads a file of any format: its table, and how each part of it was decided. This is the entry point of the folder;
 * README.md beside it has an example.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settleOptions } from './definition/read-options.ts'
import type { MendedRow, QuarantinedRow } from './report/quarantine.ts'
import { type DecodedSource, decodeSource } from './source/decode-source.ts'
import { openSource, refuseChanged, type SourceFile } from './source/source.ts'
import { type ReadTable, readTable, type TableRequest } from './table/read-table.ts'

export interface ReadRequest extends Partial<TableRequest> {
  /** The decoded text that an earlier reading with the same format, encoding and sheet left. */
  readonly decoded?: DecodedSource | undefined
}

/** The caller disposes of it; until then its records can be read from the work folder. */
export interface Reading extends ReadTable, AsyncDisposable {
  readonly source: SourceFile
  /** Only the first records were read. */
  readonly isPreview: boolean
  /** Rows quarantined so far, in file order. */
  quarantined(): Iterable<QuarantinedRow>
  /** Titles, notes and anything else around the table, in file order; the reason is its kind. */
  leftOut(): Iterable<QuarantinedRow>
  /** Records of another width that became rows, in file order. */
  mended(): Iterable<MendedRow>
}

/**
 * @param file a path, `-` for standard input, or a source that is open already
 * @param request left out: everything is detected, and a temporary work folder is removed with the reading
 * @throws CommandError `refused` when the file has no readable table (a `RefusedTable` once its records can be read),
 * `usage` when an option does not fit the file, `failed` when it cannot be read or was changed meanwhile
 */
export async function read(file: string | SourceFile, request: ReadRequest = {}): Promise<Reading> {
  const { definition = null, asked = {}, onProgress, mostRecords } = request
  await using held = new AsyncDisposableStack()
  const workFolder = request.workFolder ?? mkdtempSync(join(tmpdir(), 'izvor-read-'))
  if (request.workFolder === undefined) held.defer(() => rmSync(workFolder, { recursive: true, force: true }))
  const source = typeof file === 'string' ? await openSource(file, workFolder, Number.MAX_VALUE) : file
  const options = settleOptions(asked, definition?.read)
  const decoded = request.decoded ?? (await decodeSource({ source, workFolder, options, onProgress }))
  const table = await readTable(decoded, { ...request, workFolder, definition, asked })
  const records = held.use(table.records)
  refuseChanged(source)
  const open = held.move()
  return {
    ...table,
    source,
    isPreview: mostRecords !== undefined,
    quarantined: () => records.quarantine.rows(decoded.path),
    leftOut: () => records.leftOut.rows(decoded.path),
    *mended() {
      for (const { line, reason: kind, raw } of records.mended.rows(decoded.path)) yield { line, kind, raw }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
