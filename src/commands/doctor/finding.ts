/** The doctor's findings, and what its checks work with. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Finding, Severity } from '../../upkeep/desk-work.ts'
import type { Cli } from '../cli/cli.ts'
import type { SettingsPlace } from '../cli/command-row.ts'

/** The installation to check. */
export interface Site extends Pick<SettingsPlace, 'loaded' | 'config'>, Pick<Cli, 'now' | 'env' | 'program'> {
  readonly folder: DataDir
  /** Skips checks that read every version file. */
  readonly quick: boolean
}

/** A check's finding, about itself unless it names another check. */
export type Said = Omit<Finding, 'check'> & { readonly check?: string }

/** Several findings, one, or undefined when there is nothing to check. */
export type Answer = Said | readonly Said[] | undefined

export const fine = (what: string): Said => ({ state: 'ok', what, why: null, remedy: null })

const saying = (state: Severity) => (what: string, why: string, remedy: string) => {
  return { state, what, why, remedy }
}
export const note = saying('note')
export const warning = saying('warning')
export const problem = saying('problem')

/** Bytes of all files in a folder and those below it. */
export function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
