import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import type { DeskFacts } from './places.ts'
import type { DraftDesk } from './use-draft.ts'

/** What every part of a draft's page is given. */
export interface DraftViewOptions {
  readonly facts: DeskFacts
  readonly desk: DraftDesk
  readonly draft: DraftBody
}
