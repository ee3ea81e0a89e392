/** The parts of a step of the setup. */

import type { Config, SettingName } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import type { SettingChanges } from '../../base/config/settings-file.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { SETUP_TEXTS } from './texts/setup-texts.ts'

export type SetupTexts = (typeof SETUP_TEXTS)['en']

/** The installation to set up. */
export interface SetupPlace {
  /** The current settings with unwritten changes of the file. @throws CommandError `usage` */
  readonly read: (changes?: SettingChanges) => LoadedConfig
  readonly folder: DataDir
  /** The command line that starts the program again. */
  readonly command: readonly string[]
  readonly now: () => Date
  /** Makes a running service apply changes; returns the settings that it applied. */
  readonly takeUp?: () => readonly SettingName[]
}

/** `bad` keeps the answers from being written, unless the operator wants them anyway. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'bad'
  readonly says: string
}

/** What a step tries, with the settings as they would be. */
export interface Asked {
  readonly config: Config
  readonly place: SetupPlace
  readonly texts: SetupTexts
}

type Try = (asked: Asked) => readonly Finding[] | Promise<readonly Finding[]>

export interface Field {
  readonly setting: SettingName
  readonly optional?: true
  /** Offered when nothing is set. */
  readonly suggests?: string
}

interface Way {
  readonly name: keyof SetupTexts
  readonly fields: readonly Field[]
  readonly tries: Try
}

export interface Step {
  readonly name: keyof SetupTexts & string
  /** One of them is chosen; settings that only the others ask for are removed. */
  readonly ways: readonly Way[]
  /** Which way is in use, if the settings do not show it. */
  readonly inUse?: (place: SetupPlace) => number
}
