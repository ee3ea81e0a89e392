/** The settings of a running service: it started with them, and takes some of them up while it runs. */

import type { Config, SettingName } from '../../base/config/config.ts'
import { givenByOptions, LIVE_SETTINGS, type LoadedConfig, loadConfig } from '../../base/config/load.ts'
import { changeSettings, readSettingsFile, type SettingChanges } from '../../base/config/settings-file.ts'

export class RunningSettings {
  /** Called when live settings have changed. */
  onChange: () => void = () => {}
  readonly #config: Config
  #inForce: LoadedConfig

  /** @param config what the service works with, whose live settings change @param given what it was started with */
  constructor(config: Config, given: LoadedConfig) {
    this.#config = config
    this.#inForce = given
  }

  /** For people: with their origins. A worker's own hold its share of what is divided. */
  get inForce(): LoadedConfig {
    return this.#inForce
  }

  /** The settings as a new start would find them, with changes of the file that are not written yet. @throws CommandError */
  read(changes: SettingChanges = {}): LoadedConfig {
    // What the command line gave stays.
    const flags = Object.fromEntries(
      givenByOptions(this.#inForce).map(({ name, written }) => [name, written]),
    )
    return loadConfig({
      flags,
      env: process.env,
      tomlText: changeSettings(readSettingsFile() ?? '', changes),
    })
  }

  /** Takes up what can change in a running service, and returns which settings these are. @throws CommandError */
  takeUp(): readonly SettingName[] {
    // Of several processes, each would have to.
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
