/** A folder in which several nodes keep version files, as they do in an object store. */

import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { verifyVersionFile } from '../../src/store/files/open-version.ts'
import type { RemoteFiles, VersionName } from '../../src/store/files/remote-files.ts'

export interface FolderFiles extends RemoteFiles {
  /** Datasets whose files cannot be fetched here. */
  readonly unreachable: Set<string>
  /** Datasets whose fetches wait until the dataset is removed from this set. */
  readonly frozen: Set<string>
  /** Datasets whose frozen fetches have begun. */
  readonly begun: Set<string>
}

/** @param shared the folder of all nodes @param dataDir of one of them */
export function folderFiles(shared: string, dataDir: DataDir): FolderFiles {
  const unreachable = new Set<string>()
  const frozen = new Set<string>()
  const begun = new Set<string>()
  const objectOf = ({ id, version, file }: VersionName) => join(shared, id, `${version}-${file.sha256}`)
  const ensureLocal = async (name: VersionName) => {
    const { id, version, file } = name
    const path = dataDir.versionFile(id, version)
    if (existsSync(path) && statSync(path).size === file.bytes) return
    if (frozen.has(id)) begun.add(id)
    while (frozen.has(id)) await Bun.sleep(5)
    if (unreachable.has(id)) throw new Error(`the file of ${id} cannot be fetched`)
    mkdirSync(dirname(path), { recursive: true })
    const aside = `${path}.${Math.random()}`
    copyFileSync(objectOf(name), aside)
    verifyVersionFile(aside, file.sha256)
    renameSync(aside, path)
  }
  return {
    unreachable,
    frozen,
    begun,
    async uploadVersion(path, name) {
      mkdirSync(dirname(objectOf(name)), { recursive: true })
      copyFileSync(path, objectOf(name))
    },
    ensureLocal,
    prepare: ensureLocal,
    hold: () => () => {},
    distrust() {},
    problem: null,
    digests: null,
    verify: async (name) => verifyVersionFile(objectOf(name), name.file.sha256),
    nameOf: objectOf,
    ...otherFiles(join(shared, 'others')),
  }
}

/** Files that are not versions, by their keys. */
function otherFiles(folder: string): Pick<RemoteFiles, 'find' | 'keep' | 'bring' | 'drop'> {
  return {
    async find(key) {
      return existsSync(join(folder, key)) ? sha256File(join(folder, key)) : undefined
    },
    async keep(key, path) {
      mkdirSync(dirname(join(folder, key)), { recursive: true })
      copyFileSync(path, join(folder, key))
    },
    async bring(key, path) {
      if (!existsSync(join(folder, key))) return false
      copyFileSync(join(folder, key), path)
      return true
    },
    drop: async (prefix) => rmSync(join(folder, prefix), { recursive: true, force: true }),
  }
}
