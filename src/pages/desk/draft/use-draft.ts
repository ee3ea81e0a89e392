import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import type { Answers } from '../../../publish/drafts/questions.ts'
import { type Changes, withChanges } from '../../../read/definition/changes.ts'
import { change, read } from '../../signed-in/api.ts'
import { useReturn } from '../../signed-in/loading.tsx'
import { useLanguage } from '../../signed-in/page-language.ts'
import { explain } from '../../signed-in/refusals.ts'
import { DESK_API, type DeskFacts } from '../desk-places.ts'
import { isAtWork } from './draft-facts.ts'

export interface DraftViewOptions {
  readonly facts: DeskFacts
  readonly desk: ReturnType<typeof useDraft>
  readonly draft: DraftBody
}

/** `draft` is undefined until it is fetched; `trouble` says why that failed, or why the last step was refused. */
export function useDraft(id: string) {
  const language = useLanguage()
  const path = `${DESK_API}/drafts/${id}`
  const [trouble, setTrouble] = useState<string>()
  const [acts, setActs] = useState(0)
  const { draft, latest, show, inTurn } = useTurns()
  const complain = (error: unknown) => setTrouble(explain(language, error).message)
  const look = () => inTurn(() => read<DraftBody>(path))
  const lookAgain = async () => void (await look().catch(complain))
  const act = (call: () => Promise<DraftBody>) => {
    setTrouble(undefined)
    setActs((count) => count + 1)
    return inTurn(call).finally(() => setActs((count) => count - 1))
  }
  // For forms, which show a refusal themselves; `decide` shows it as the page's trouble.
  const submit = (decision: Changes) => act(() => change<DraftBody>('PATCH', path, decision))
  const againThen = async (error: unknown) => {
    await lookAgain()
    complain(error)
  }
  useEffect(() => void lookAgain(), [id])
  useReturn(lookAgain)
  useLooks(draft, acts > 0, lookAgain)
  return {
    draft,
    trouble,
    isBusy: acts > 0,
    /** Shows a sentence as the page's trouble. */
    tell: setTrouble,
    submit,
    /** Fetches the current draft; rejects when that fails. */
    look,
    latest: () => latest.current,
    /** Sends a decision while the page is left; the answer is ignored. */
    leaveWith: (decision: Changes) => void change('PATCH', path, decision).catch(() => {}),
    async decide(decision: Changes): Promise<void> {
      // Controls show the decision at once; a refusal reverts it.
      const now = latest.current
      if (now !== undefined) show({ ...now, definition: withChanges(now.definition, decision) })
      await submit(decision).catch(againThen)
    },
    // After a refusal the draft shows what blocks publishing now, and whether another edition came first.
    async publish(answers: Answers): Promise<void> {
      await act(() => change<DraftBody>('POST', `${path}/publish`, answers)).catch(againThen)
    },
    async reload(): Promise<void> {
      await act(() => read<DraftBody>(path)).catch(complain)
    },
  }
}

/** The draft from the last call. Calls run one after the other, so decisions and answers stay in order. */
function useTurns() {
  const [draft, setDraft] = useState<DraftBody>()
  const latest = useRef<DraftBody>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const show = (now: DraftBody) => {
    latest.current = now
    setDraft(now)
    return now
  }
  const inTurn = (call: () => Promise<DraftBody>) => {
    const done = last.current.then(call).then(show)
    last.current = done.catch(() => {})
    return done
  }
  return { draft, latest, show, inTurn }
}

const LOOK_MS = 500

function useLooks(draft: DraftBody | undefined, isBusy: boolean, look: () => Promise<void>): void {
  useEffect(() => {
    if (draft === undefined || !isAtWork(draft) || isBusy) return
    const timer = setTimeout(() => void look(), LOOK_MS)
    return () => clearTimeout(timer)
  }, [draft, isBusy])
}
