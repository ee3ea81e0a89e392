/** izvor.toml: where it is, who may have written it, and how to change settings without touching the rest. */

import {
  chmodSync,
  chownSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml } from 'smol-toml'
import { CommandError } from '../errors.ts'
import { readRegularText } from '../process/regular-file.ts'
import { explainFailure, systemFailure } from '../text/system-failure.ts'

/** Looked for in the current folder. */
export const SETTINGS_FILE = 'izvor.toml'

/** @returns its text; undefined when there is none @throws CommandError `usage` when it cannot be read or trusted */
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
 * In a folder open to everybody, such as /tmp, the file may be a stranger's, who would then decide where mail goes and
 * files come from. Not checked on systems without such owners (Windows).
 * @param found the file, and the name that leads to it, which may be a symbolic link
 * @throws CommandError `usage` unless both belong to this user or to root, and nobody else may write the file
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

/** New values for the file: a text as people write it, or null to remove the setting's line. */
export type SettingChanges = Readonly<Record<string, string | null>>

/** A setting on one line: name, value, and what follows the value. Values of several lines do not match. */
const LINE = /^(\s*(\w+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#]+)(\s*(?:#.*)?)$/

/**
 * The text with changed settings. A new setting follows its line from `izvor config example`, where there is one;
 * everything else stays, including comments.
 * @throws CommandError `usage` for a file whose settings cannot be changed line by line
 */
export function changeSettings(text: string, changes: SettingChanges): string {
  if (Object.keys(changes).length === 0) return text
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  const wanted: Record<string, unknown> = { ...parseToml(text) }
  for (const [name, value] of Object.entries(changes)) {
    const at = lines.findIndex((line) => LINE.exec(line)?.[2] === name)
    const written = value === null ? '' : writeValue(value)
    const [, before = `${name} = `, , , after = ''] = LINE.exec(lines[at] ?? '') ?? []
    const example = lines.findIndex((line) => line.startsWith(`#${name} =`))
    const place = at >= 0 ? at : example >= 0 ? example + 1 : lines.length
    if (at >= 0 || value !== null)
      lines.splice(place, at >= 0 ? 1 : 0, ...(value === null ? [] : [before + written + after]))
    if (value === null) delete wanted[name]
    else Object.assign(wanted, parseToml(`${name} = ${written}`))
  }
  const changed = lines.length === 0 ? '' : lines.join(end) + end
  if (holds(changed, wanted)) return changed
  const names = Object.keys(changes).join(', ')
  const message = `${SETTINGS_FILE} is written in a way that only a person can change: set ${names} in an editor`
  throw new CommandError('usage', message)
}

function holds(text: string, wanted: object): boolean {
  try {
    return isDeepStrictEqual({ ...parseToml(text) }, wanted)
  } catch {
    return false
  }
}

/** Numbers and booleans as in TOML, the rest in quotes (a JSON string is a TOML string, too). */
export function writeValue(text: string): string {
  return /^(?:0|[1-9]\d{0,14}|true|false)$/.test(text) ? text : JSON.stringify(text)
}

/** Replaces the file; its mode and owner stay. Only the owner may read a new one. @throws CommandError `failed` */
export function writeSettingsFile(text: string): void {
  let unfinished: string | undefined
  try {
    const found = statSync(SETTINGS_FILE, { throwIfNoEntry: false })
    const path = found === undefined ? SETTINGS_FILE : realpathSync(SETTINGS_FILE)
    unfinished = `${path}.${process.pid}`
    writeFileSync(unfinished, text, { mode: 0o600, flush: true })
    if (found !== undefined) {
      chownSync(unfinished, found.uid, found.gid)
      chmodSync(unfinished, found.mode & 0o777)
    }
    renameSync(unfinished, path)
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { force: true })
    throw systemFailure(`${SETTINGS_FILE} cannot be written`, error)
  }
}
