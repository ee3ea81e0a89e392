/** Columns of a version file as lanes of row hashes. */

import type { VersionFile } from '../../store/files/open-version.ts'
import { codeBlocks, readDictionary, type StoredDictionary } from '../../store/files/stored-column.ts'
import { type HashLane, hashEntries } from './row-hashes.ts'

export interface StoredLane extends HashLane {
  readonly dictionary: StoredDictionary
}

/**
 * @throws RangeError when the file has no such column; DamagedFileError
 */
export function storedLane(file: VersionFile, name: string): StoredLane {
  const position = file.columns.findIndex((column) => column.name === name)
  const dictionary = readDictionary(file, position)
  return {
    dictionary,
    hashes: hashEntries(name, dictionary.heap, dictionary.offsets),
    blocks: () => codeBlocks(file, position),
  }
}
