/** What a step of the setup is. */

import type { Config, SettingName } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import type { SettingChanges } from '../../base/config/settings-file.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { SETUP_TEXTS } from './texts/setup-texts.ts'

export type SetupTexts = (typeof SETUP_TEXTS)['en']

/** The installation that is set up. */
export interface SetupPlace {
  /** The settings as they are now, with changes of the file that are not written yet. @throws CommandError `usage` */
  readonly read: (changes?: SettingChanges) => LoadedConfig
  readonly folder: DataDir
  /** The command line that starts the program again. */
  readonly command: readonly string[]
  readonly now: () => Date
  /** Has a running service take up what it can; returns the settings that it took up. */
  readonly takeUp?: () => readonly SettingName[]
}

/** `bad` keeps the answers from being written, unless they are to be all the same. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'bad'
  readonly says: string
}

/** What a step tries: the settings as they would be. */
export interface Asked {
  readonly config: Config
  readonly place: SetupPlace
  readonly texts: SetupTexts
}

type Try = (asked: Asked) => readonly Finding[] | Promise<readonly Finding[]>

export interface Field {
  readonly setting: SettingName
  readonly optional?: true
  /** Offered where nothing is set. */
  readonly suggests?: string
}

interface Way {
  readonly name: keyof SetupTexts
  readonly fields: readonly Field[]
  readonly tries: Try
}

export interface Step {
  readonly name: keyof SetupTexts & string
  /** One of them is chosen; what only the others ask is removed. */
  readonly ways: readonly Way[]
  /** Which way is in use, where settings do not tell. */
  readonly inUse?: (place: SetupPlace) => number
}
