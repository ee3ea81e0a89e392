/** Why a file cannot be read, fetched or published, and what is worth a warning, by code. Codes and values are public. */

import { CommandError, type Reason } from '../../base/errors.ts'
import { FETCH_REFUSALS } from './texts/fetch-refusals.ts'
import { FILE_REFUSALS } from './texts/file-refusals.ts'
import { GATE_REFUSALS } from './texts/gate-refusals.ts'
import { DECISION_REFUSALS, DOUBT_REFUSALS } from './texts/reading-refusals.ts'
import { fill, type Row, sayInShell, type ValuesOf } from './texts/row.ts'
import type { WARNINGS } from './texts/warnings.ts'

export const REFUSALS = {
  ...FILE_REFUSALS,
  ...DOUBT_REFUSALS,
  ...FETCH_REFUSALS,
  ...DECISION_REFUSALS,
  ...GATE_REFUSALS,
}

type RefusalCode = keyof typeof REFUSALS
type RefusalValues<C extends RefusalCode> = ValuesOf<(typeof REFUSALS)[C]>

/** What prevents publishing a file that was read. */
export type GateKind = keyof typeof GATE_REFUSALS

type WarningCode = keyof typeof WARNINGS

export interface Warning extends Reason {
  readonly code: WarningCode
}

export function warn<C extends WarningCode>(code: C, values: ValuesOf<(typeof WARNINGS)[C]>): Warning {
  return { code, values }
}

function overrideOf<C extends RefusalCode>(code: C, values: RefusalValues<C>): string | null {
  return fill((REFUSALS[code] as Row<RefusalValues<C>>).override, values) || null
}

/** @param detail for the operator, in addition to the row's sentence */
export function refuse<C extends RefusalCode>(
  code: C,
  values: RefusalValues<C>,
  detail?: string,
  override: string | null = overrideOf(code, values),
): CommandError {
  const { kind = 'refused' } = REFUSALS[code] as Row<RefusalValues<C>>
  const sentence = sayInShell(REFUSALS, { code, values })
  const message = detail === undefined ? sentence : `${sentence} (${detail})`
  return new CommandError(kind, message, override, [{ code, values }])
}

/** Why a file is not published: the kinds of the gates, or why it has no table. */
export function reasonsOf(
  refusals: readonly ({ readonly kind: GateKind } | { readonly reasons: readonly Reason[] })[],
): Reason[] {
  return refusals.flatMap((refusal) =>
    'reasons' in refusal ? refusal.reasons : [{ code: refusal.kind, values: {} }],
  )
}
