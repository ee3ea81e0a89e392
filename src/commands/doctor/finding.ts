/** What the doctor says, and what it looks at. */

import type { LoadedConfig } from '../../config.ts'
import type { DataDir } from '../../storage/data-dir.ts'

/** `note`: worth knowing; `warning`: will hurt one day; `problem`: hurts now. */
export type Severity = 'ok' | 'note' | 'warning' | 'problem'

export interface Finding {
  readonly check: string
  readonly state: Severity
  readonly what: string
  /** Why it matters; null where all is well. */
  readonly why: string | null
  /** The line to type or to write into the settings; null where all is well. */
  readonly remedy: string | null
}

/** The installation that is looked at. */
export interface Site {
  readonly loaded: LoadedConfig
  readonly folder: DataDir
  readonly now: () => Date
  readonly env: Readonly<Record<string, string | undefined>>
  /** How the program is called, for lines to type. */
  readonly program: string
  /** Leaves out what reads every version file. */
  readonly quick: boolean
}

export type Check = (site: Site) => Finding[] | Promise<Finding[]>

export function fine(check: string, what: string): Finding {
  return { check, state: 'ok', what, why: null, remedy: null }
}

export function finding(
  check: string,
  state: Exclude<Severity, 'ok'>,
  about: { readonly what: string; readonly why: string; readonly remedy: string },
): Finding {
  return { check, state, ...about }
}
