/** A finding of the doctor, and what the checks get. */

import type { Config } from '../../base/config/config.ts'
import type { LoadedConfig } from '../../base/config/load.ts'
import type { DataDir } from '../../store/files/data-dir.ts'

/** `note`: worth knowing; `warning`: will become a problem; `problem`: needs action now. */
export type Severity = 'ok' | 'note' | 'warning' | 'problem'

export interface Finding {
  readonly check: string
  readonly state: Severity
  readonly what: string
  /** Why it matters; null without a finding. */
  readonly why: string | null
  /** The command to run or the setting to change; null without a finding. */
  readonly remedy: string | null
}

/** The installation to check. */
export interface Site {
  readonly loaded: LoadedConfig
  /** The values of the settings. */
  readonly config: Config
  readonly folder: DataDir
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  /** How the program is called, for commands in remedies. */
  readonly program: string
  /** Skips checks that read every version file. */
  readonly quick: boolean
}

export type Check = (site: Site) => Finding[] | Promise<Finding[]>

/** What a check returns that finds nothing. */
export function fine(check: string, what: string): Finding[] {
  return [{ check, state: 'ok', what, why: null, remedy: null }]
}

/** What a check returns that finds one thing. */
export function finding(
  check: string,
  state: Exclude<Severity, 'ok'>,
  about: { readonly what: string; readonly why: string; readonly remedy: string },
): Finding[] {
  return [{ check, state, ...about }]
}
