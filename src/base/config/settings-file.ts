/** izvor.toml: where it is, who may have written it, and how values are written. */

import { lstatSync, type Stats } from 'node:fs'
import { CommandError } from '../errors.ts'
import { readRegularText } from '../process/regular-file.ts'
import { explainFailure } from '../text/system-failure.ts'

/** Looked for in the current folder. */
export const SETTINGS_FILE = 'izvor.toml'

/** Its text; undefined where there is none. @throws CommandError `usage` where it is another user's, or cannot be read */
export function readSettingsFile(): string | undefined {
  try {
    return readRegularText(SETTINGS_FILE, (stat) => refuseStrangers([stat, lstatSync(SETTINGS_FILE)]))
  } catch (error) {
    if (error instanceof CommandError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const reason = explainFailure(error)
    throw new CommandError('usage', `${SETTINGS_FILE} in the current folder cannot be read: ${reason}`)
  }
}

/**
 * In a folder for everybody, such as /tmp, the file may be a stranger's: it would send mail and fetch where they like.
 * @param found the file, and the name that leads to it, which may be a symbolic link
 * @throws CommandError `usage` unless both belong to this user or to root, and nobody else may write the file; systems
 * without such owners (Windows) are not asked
 */
function refuseStrangers([file, name]: readonly [Stats, Stats]): void {
  const user = process.geteuid?.()
  if (user === undefined) return
  const stranger = [file, name].find(({ uid }) => uid !== user && uid !== 0)
  if (stranger !== undefined)
    throw new CommandError(
      'usage',
      `${SETTINGS_FILE} in the current folder belongs to user ${stranger.uid}, neither to this one (${user}) nor to root, and is not read: run the command in another folder, or take the file with chown`,
    )
  if ((file.mode & 0o022) !== 0)
    throw new CommandError(
      'usage',
      `${SETTINGS_FILE} in the current folder can be written by other users (mode ${(file.mode & 0o777).toString(8)}) and is not read: chmod go-w ${SETTINGS_FILE}`,
    )
}

/** Numbers and truth values as TOML has them, the rest in quotes (JSON's are TOML's, too). */
export function writeValue(text: string): string {
  return /^(?:0|[1-9]\d{0,14}|true|false)$/.test(text) ? text : JSON.stringify(text)
}
