/** @jsxImportSource preact */

import type { DraftState } from '../../store/catalog/drafts.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { DESK_TEXTS } from '../texts/desk.ts'

const TONES: Partial<Record<DraftState, string>> = {
  ready: 'warn',
  refused: 'bad',
  failed: 'bad',
  published: 'good',
  unchanged: 'good',
}

/** The state of a draft in a word. */
export function DraftTag({ state }: { state: DraftState }) {
  const texts = useTexts(DESK_TEXTS)
  return <span class={`tag ${TONES[state] ?? ''}`}>{texts[`state_${state}`]}</span>
}
