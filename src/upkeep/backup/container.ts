/** The target of a backup, an archive or a folder, and how a snapshot is written to it. */

import { sha256 } from '../../base/crypto/sha256.ts'
import { MANIFEST, SUMS } from './layout.ts'
import {
  type BackupFile,
  createManifest,
  type DamagedPart,
  type Manifest,
  writeManifest,
  writeSums,
} from './manifest.ts'
import type { Snapshot, SnapshotFile } from './snapshot.ts'

export interface Container {
  /** @returns SHA-256 of the written bytes, lower-case hex */
  addFile(file: SnapshotFile): Promise<string>
  addText(name: string, text: string): Promise<void>
  /** Fulfils when everything is written, and durable where that is possible. */
  finish(): Promise<void>
}

/**
 * Writes a snapshot with its manifest.
 * @param signal stops it between two files
 */
export async function writeBackup(
  snapshot: Snapshot,
  origin: string,
  container: Container,
  signal: AbortSignal,
): Promise<Manifest> {
  const files: BackupFile[] = []
  const damaged: DamagedPart[] = [...snapshot.missing]
  for (const file of snapshot.files) {
    signal.throwIfAborted()
    const { name, bytes, expected } = file
    const hash = await container.addFile(file)
    files.push({ name, bytes, sha256: hash })
    if (expected === null || expected === hash) continue
    damaged.push({ name, problem: `its SHA-256 is ${hash}, the catalog holds ${expected}` })
  }
  const manifest = createManifest({ origin, files, damaged, schema: snapshot.schema }, snapshot.taken)
  const text = writeManifest(manifest)
  await container.addText(MANIFEST, text)
  const own = { name: MANIFEST, sha256: Buffer.from(sha256(text)).toString('hex') }
  await container.addText(SUMS, writeSums([...files, own]))
  await container.finish()
  return manifest
}
