/** A data folder to ingest into, and its rows read back without the engine. Use it inside a test. */

import { onTestFinished } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SegmentKind, Value } from '../../src/engine/columns/column.ts'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import { attemptIngest, type IngestRequest, ingestFile } from '../../src/publish/ingest.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { tempDataDir, tempDir } from './temp-dir.ts'

const INGEST_TIME = new Date('2025-06-01T12:30:45.678Z')

export const SETTINGS = {
  max_quarantine: 0.1,
  max_mended: 0.05,
  personal_data: 'ask',
  publish_private_addresses: true,
} as const
/** The setting that refuses data about people. */
export const STRICT = { settings: { ...SETTINGS, personal_data: 'strict' } } as const

export type Row = Record<string, Value | null>

export interface Workplace {
  readonly dataDir: DataDir
  readonly catalog: Catalog
  /** Ingests an existing file. */
  ingestPath(file: string, request?: Partial<IngestRequest>): Promise<IngestReport>
  /** Ingests a text or bytes as the dataset `sample` of the domain `test`. */
  ingest(content: string | Uint8Array, request?: Partial<IngestRequest>): Promise<IngestReport>
  /** As `ingest`, but a refusal is part of the report instead of an error. */
  attempt(content: string | Uint8Array, request?: Partial<IngestRequest>): Promise<IngestReport>
  /** The rows being served. */
  rows(id?: string): Row[]
  /** The mended records of the version being served. */
  repaired(id?: string): { line: number; kind: string; raw: string }[]
  /** The quarantined rows of the version being served. */
  quarantine(id?: string): { line: number; column: string | null; reason: string; raw: string }[]
  /** The records around the table of the last ingest, as its report shows them. */
  leftOut(): IngestReport['left_out_sample']
}

/** @param dataDir a made folder; left out: a new one */
export function openWorkplace(dataDir: DataDir = tempDataDir()): Workplace {
  const catalog = Catalog.open(dataDir)
  onTestFinished(() => catalog.close())
  return workplaceIn(dataDir, catalog, tempDir())
}

/** The same with another command. @param folder for the files that are made of texts and bytes */
export function workplaceIn(dataDir: DataDir, catalog: Catalog, folder: string): Workplace {
  const workplace = { dataDir, catalog, now: () => INGEST_TIME }
  const defaults = { settings: SETTINGS, dryRun: false, acceptDrift: false }
  let told: IngestReport['left_out_sample'] = []
  const noted = async (ingesting: Promise<IngestReport>) => {
    const report = await ingesting
    told = report.left_out_sample
    return report
  }
  const ingestPath = (file: string, request: Partial<IngestRequest> = {}) =>
    noted(ingestFile(workplace, { file, ...defaults, ...request }))
  const sample = (content: string | Uint8Array): string => {
    const file = join(folder, 'sample.csv')
    writeFileSync(file, content)
    return file
  }
  const served = <T>(id: string, look: (file: VersionFile) => T): T => {
    const file = VersionFile.open(catalog.find(id)?.file ?? '')
    try {
      return look(file)
    } finally {
      file.close()
    }
  }
  return {
    dataDir,
    catalog,
    ingestPath,
    ingest: (content, request = {}) =>
      ingestPath(sample(content), { id: 'sample', domain: 'test', ...request }),
    attempt: (content, request = {}) =>
      noted(
        attemptIngest(workplace, {
          ...{ file: sample(content), id: 'sample', domain: 'test', ...defaults, ...request },
        }),
      ),
    rows: (id = 'sample') => served(id, readRows),
    repaired: (id = 'sample') => served(id, (file) => [...file.mended()]),
    quarantine: (id = 'sample') => served(id, (file) => [...file.quarantine()]),
    leftOut: () => told,
  }
}

/** Writes a definition file for a test. */
export function writeDefinition(definition: unknown): string {
  const path = join(tempDir(), 'definition.json')
  writeFileSync(path, JSON.stringify(definition))
  return path
}

function readRows(file: VersionFile): Row[] {
  const rows: Row[] = Array.from({ length: file.rows }, () => ({}))
  for (const [position, column] of file.columns.entries()) {
    const segment = (kind: SegmentKind) => file.read(position, kind)
    const codeBytes = segment('codes').buffer
    const codes = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[column.codeWidth]
    const offsets = new Uint32Array(segment('offsets').buffer)
    const heap = segment('heap')
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
    for (const [row, code] of new codes(codeBytes).entries()) {
      const text = code === 0 ? null : decoder.decode(heap.subarray(offsets[code - 1], offsets[code]))
      ;(rows[row] as Row)[column.name] = text === null ? null : toValue(text, column.type)
    }
  }
  return rows
}

function toValue(text: string, type: string): Value {
  if (type === 'integer' || type === 'decimal') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
