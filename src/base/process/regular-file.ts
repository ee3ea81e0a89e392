/** Files that the program reads at its start: settings, secrets, certificates, definitions. */

import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'

type Look = (stat: Stats) => void

/**
 * Reads a regular file whole. A pipe without a writer would keep the program waiting for ever, and a device has no end.
 * @param look sees the opened file before it is read
 * @throws Error of the file system, or one that says what kind of file it is
 */
export function readRegularFile(path: string, look: Look = () => {}): Buffer {
  // Opening a pipe without this waits for its writer; Windows has neither.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  using _ = { [Symbol.dispose]: () => closeSync(file) }
  const stat = fstatSync(file)
  if (!stat.isFile() && !stat.isDirectory())
    throw new Error('it is a pipe or a device: a regular file is needed')
  look(stat)
  return readFileSync(file)
}

export function readRegularText(path: string, look?: Look): string {
  return readRegularFile(path, look).toString('utf8')
}
