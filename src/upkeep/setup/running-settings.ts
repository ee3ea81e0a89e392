/** The settings of a running service: it started with them, and applies changes of some while it runs. */

import type { Config, SettingName } from '../../base/config/config.ts'
import { givenByOptions, LIVE_SETTINGS, type LoadedConfig, loadConfig } from '../../base/config/load.ts'
import { changeSettings, readSettingsFile, type SettingChanges } from '../../base/config/settings-file.ts'

export class RunningSettings {
  /** Called when live settings have changed. */
  onChange: () => void = () => {}
  readonly #config: Config
  #inForce: LoadedConfig

  /** @param config the service's own settings, whose live ones change @param given the settings it was started with */
  constructor(config: Config, given: LoadedConfig) {
    this.#config = config
    this.#inForce = given
  }

  /** The settings with their origins, for people; a worker's own settings hold its share of memory and places. */
  get inForce(): LoadedConfig {
    return this.#inForce
  }

  /** The settings that a new start would find, with unwritten changes of the file. @throws CommandError */
  read(changes: SettingChanges = {}): LoadedConfig {
    // Settings from the command line stay.
    const flags = Object.fromEntries(
      givenByOptions(this.#inForce).map(({ name, written }) => [name, written]),
    )
    return loadConfig({
      flags,
      env: process.env,
      tomlText: changeSettings(readSettingsFile() ?? '', changes),
    })
  }

  /** Applies changes of live settings, and returns which settings these are. @throws CommandError */
  takeUp(): readonly SettingName[] {
    // With several processes each would have to apply them.
    if (this.#inForce.values.workers > 1) return []
    const { values, origins } = this.read()
    const pick = (from: LoadedConfig['values'] | LoadedConfig['origins']) =>
      Object.fromEntries(LIVE_SETTINGS.map((name) => [name, from[name]]))
    Object.assign(this.#config, pick(values))
    this.#inForce = {
      values: { ...this.#inForce.values, ...pick(values) },
      origins: { ...this.#inForce.origins, ...pick(origins) },
    }
    this.onChange()
    return LIVE_SETTINGS
  }
}
