/**
 * Takes data down (contract 10): versions of a dataset, and every copy of them that the program made. Backups are listed
 * but stay: the program cannot reach copies that were moved elsewhere.
 */

import { existsSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Config } from '../../base/config/config.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { COPIES_FOLDER } from '../../db/migrate.ts'
import type { OpenDatasets } from '../../query/open-datasets.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { numberOf, VERSIONS, WHOLE_FILES } from '../../store/objects/keys.ts'
import { readBackupRecord } from '../../upkeep/backup/record.ts'
import { keptAside } from '../../upkeep/backup/restore.ts'
import { listBackups } from '../../upkeep/backup/source.ts'
import { decided } from '../drafts/decisions.ts'
import { dropDraftObjects } from '../drafts/draft-objects.ts'

export interface TakeDownPlace {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  readonly config: Pick<Config, 'backup_dir'>
}

export type TakenDown = Awaited<ReturnType<typeof takeDown>>

/**
 * Takes kept versions down on every node.
 * @param numbers of kept versions, not of the served one @param column by which they were chosen
 * @throws CommandError `failed` when one of them has become the served version; ObjectStoreError; DatabaseAway
 */
export async function takeDown(
  place: TakeDownPlace,
  id: string,
  numbers: readonly number[],
  column?: string,
) {
  const { catalog, dataDir } = place
  const records = recordsOf(catalog, id)
  const chosen = records.filter(({ version }) => numbers.includes(version))
  const copies = await draftsOf(catalog, id, chosen)
  dataDir.discard(await catalog.drop(id, numbers, copies), { cuts: true })
  const late = await dropCopies(place, id, copies)
  const served = new Set(catalog.find(id)?.columns.map(({ name }) => name))
  const columns =
    column === undefined ? chosen.flatMap(namesOf).filter((name) => !served.has(name)) : [column]
  const left = recordsOf(catalog, id).filter((record) =>
    namesOf(record).some((name) => columns.includes(name)),
  )
  return {
    dropped: numbers.toSorted((one, other) => one - other),
    /** Kept versions that still have the named column, or one that these versions had and the served one does not. */
    kept_with_column: left.map(({ version }) => version).toSorted((one, other) => one - other),
    /** Copies that remain, oldest first. */
    backups: knownBackups(place),
    /** Nodes that may still have copies. */
    ...(late.length > 0 && { late_nodes: late }),
  }
}

/**
 * Removes a dataset with every copy of its versions.
 * @returns nodes that may still have copies @throws as `takeDown`
 */
export async function takeDatasetDown(place: TakeDownPlace, id: string): Promise<readonly LateNode[]> {
  const copies = await draftsOf(place.catalog, id, recordsOf(place.catalog, id))
  place.dataDir.discard(await place.catalog.remove(id, copies), { cuts: true })
  return dropCopies(place, id, copies)
}

function recordsOf(catalog: Catalog, id: string): VersionRecord[] {
  return catalog.versions(id).map(({ version }) => catalog.record(id, version)!)
}

function namesOf({ columns }: VersionRecord): string[] {
  return columns.map(({ name }) => name)
}

/** Call it after the catalog has dropped the versions. */
async function dropCopies(
  { catalog, dataDir }: TakeDownPlace,
  id: string,
  drafts: readonly string[],
): Promise<readonly LateNode[]> {
  for (const draft of drafts) {
    dataDir.draft(draft).remove()
    await dropDraftObjects(dataDir, draft)
  }
  await dropObjects(catalog, dataDir, id)
  // Folders kept by restores and upgrades are removed if they contain the dataset.
  for (const path of asideWith(dataDir, [id])) rmSync(path, { recursive: true, force: true })
  dataDir.sweep()
  // Other processes on this folder do not report; after this wait each has polled twice.
  if (catalog.shared === null) {
    await Bun.sleep(2 * LOOK_MS)
    // Windows cannot delete open files, and those processes may have had one open.
    catalog.sweep()
  }
  await catalog.eraseDeleted()
  return await catalog.lateNodes(id)
}

/** Drafts with a file that one of these versions was made from, and drafts published as a version that will not be kept. */
async function draftsOf(catalog: Catalog, id: string, records: readonly VersionRecord[]): Promise<string[]> {
  const files = new Set(records.flatMap(({ provenance }) => provenance.sources.map(({ sha256 }) => sha256)))
  const going = new Set(records.map(({ version }) => version))
  const kept = new Set(catalog.versions(id).flatMap(({ version }) => (going.has(version) ? [] : [version])))
  const isCopy = (draft: Draft) =>
    files.has(draft.sha256 ?? '') ||
    (draft.version !== null && !kept.has(draft.version) && decided(catalog, draft).id === id)
  return (await catalog.drafts.all()).filter(isCopy).map((draft) => draft.id)
}

/** Drops objects of versions older than the newest kept one; higher numbers may belong to versions being published. */
async function dropObjects(catalog: Catalog, { remote }: DataDir, id: string): Promise<void> {
  if (remote === null) return
  const kept = new Set(catalog.versions(id).map(({ version }) => version))
  const newest = kept.size === 0 ? Number.POSITIVE_INFINITY : Math.max(...kept)
  const isLeft = (key: string) => {
    const version = numberOf(key)?.version
    return version !== undefined && version < newest && !kept.has(version)
  }
  for (const kind of [VERSIONS, WHOLE_FILES]) await remote.drop(`${kind}${id}/`, isLeft)
}

/** Folders kept by restores and upgrades that contain one of the datasets. */
export function asideWith(dataDir: DataDir, ids: readonly string[]): string[] {
  const folders = keptAside(dataDir).filter((path) =>
    ids.some((id) => existsSync(join(path, 'datasets', id))),
  )
  const copies = join(dataDir.root, COPIES_FOLDER)
  return existsSync(copies) ? [...folders, copies] : folders
}

/** The backups known here: those in the configured folder, and the last one. */
function knownBackups({ dataDir, config: { backup_dir: folder } }: TakeDownPlace) {
  const last = readBackupRecord(dataDir).last
  const inFolder = folder !== null && existsSync(folder) ? listBackups(folder) : []
  const names = new Map(inFolder.map((path) => [path, formatTimestamp(statSync(path).mtime)]))
  if (last !== null && !names.has(last.target)) names.set(last.target, last.at)
  return [...names]
    .map(([path, at]) => ({ name: basename(path), at }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
}

/** How often each process on a folder polls. */
const LOOK_MS = 500

export class TakenDownVersions {
  readonly #catalog: Catalog
  readonly #dataDir: DataDir
  readonly #openDatasets: OpenDatasets
  /** Paths of their files. */
  readonly #known = new Set<string>()
  readonly #timer = setInterval(() => void this.look().catch(() => {}), LOOK_MS).unref()
  #revision = -1

  constructor(catalog: Catalog, dataDir: DataDir, openDatasets: OpenDatasets) {
    this.#catalog = catalog
    this.#dataDir = dataDir
    this.#openDatasets = openDatasets
  }

  /** Once it resolves, this process neither reads nor keeps anything taken down before the call. @throws DatabaseAway */
  async look(): Promise<void> {
    const { revision } = this.#catalog
    if (revision === this.#revision) return
    const all = this.#catalog
      .taken()
      .flatMap(({ id, dropped }) => dropped.map((n) => this.#dataDir.versionFile(id, n)))
    const found = all.filter((path) => !this.#known.has(path))
    for (const path of found) this.#openDatasets.end(path)
    if (found.length > 0 && this.#catalog.shared !== null) await this.#dropCopies(found)
    for (const path of found) this.#known.add(path)
    this.#revision = revision
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** On a node: copies that the command which took the versions down cannot reach. */
  async #dropCopies(paths: readonly string[]): Promise<void> {
    this.#dataDir.discard(paths, { cuts: true })
    rmSync(join(this.#dataDir.root, COPIES_FOLDER), { recursive: true, force: true })
    for (const draft of this.#dataDir.draftIds()) {
      if ((await this.#catalog.drafts.stateOf(draft)) === undefined) this.#dataDir.draft(draft).remove()
    }
    await this.#catalog.eraseDeleted()
  }
}
