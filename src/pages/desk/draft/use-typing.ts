/** Saves what is typed about a draft: after a pause, by Publish and when the page is left. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import { whoAmI } from '../../signed-in/api.ts'
import { valuesOf } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { explain, NO_TROUBLE, type Trouble } from '../../signed-in/refusals.ts'
import { ABOUT_TEXTS } from '../../texts/desk.ts'
import {
  type AboutName,
  changesOf,
  decisionOf,
  heldAbout,
  type TypedAbout,
  typedAbout,
} from '../about-fields.tsx'
import { aboutOf, isOver } from './draft-facts.ts'
import type { DraftViewOptions } from './use-draft.ts'

const PAUSE_MS = 500
const ID = /^[a-z0-9_]{1,64}$/

export type Typing = ReturnType<typeof useTyping>

/** `flush` returns the draft with everything typed, or null if some of it is refused. */
export function useTyping({ desk, draft }: Pick<DraftViewOptions, 'desk' | 'draft'>) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const labels = { ...texts, title: texts.name, license: texts.licence }
  const [said, say] = useState('')
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE)
  const { form, sent, typed, changes, isTyped, take } = useFields(draft, (names) => {
    say(texts.elsewhere(names.map((name) => labels[name]).join(', ')))
  })
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = async (): Promise<DraftBody | null> => {
    say('')
    // Another window may have changed the draft meanwhile.
    const now = await desk.look()
    take(now)
    const { id, ...about } = changes()
    if (isOver(now)) {
      desk.tell(texts.over)
      return now
    }
    const isWrong = id !== undefined && !ID.test(id)
    const changed = isWrong || id === undefined ? about : { id, ...about }
    sent.current = changed
    const saved = Object.keys(changed).length === 0 ? now : await desk.submit(decisionOf(changed))
    setTrouble(isWrong ? { fields: { id: texts.wrongId } } : NO_TROUBLE)
    if (isWrong) return null
    say((before) => before || texts.kept)
    return saved
  }
  const save = async () => {
    clearTimeout(timer.current)
    if (!isTyped()) {
      setTrouble(NO_TROUBLE)
      return desk.latest() ?? draft
    }
    return await send().catch((error: unknown) => {
      setTrouble(explain(language, error, form.current === null ? {} : valuesOf(form.current)))
      return null
    })
  }
  const flush = () => {
    const done = last.current.then(save)
    last.current = done
    return done
  }
  useLeaving(
    () => trouble !== NO_TROUBLE && isTyped(),
    () => isTyped() && desk.leaveWith(decisionOf(changes())),
  )
  const onType = () => {
    // Fetch the token in advance: without it nothing could be saved while the page is left.
    void whoAmI().catch(() => {})
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), PAUSE_MS)
  }
  return { form, trouble, said, typed, flush, onType }
}

/** Compares the form with what the service holds. @param onOthers gets the fields that another window changed, too */
function useFields(draft: DraftBody, onOthers: (names: readonly AboutName[]) => void) {
  const form = useRef<HTMLFormElement>(null)
  const held = useRef(heldAbout(aboutOf(draft)))
  const sent = useRef<TypedAbout>({})
  const typed = () => (form.current === null ? {} : typedAbout(valuesOf(form.current)))
  const changes = () => changesOf(typed(), held.current)
  /** Shows what another window saved, unless the field has been changed here. */
  const take = (now: DraftBody) => {
    const before = held.current
    const after = heldAbout(aboutOf(now))
    held.current = after
    const here = typed()
    const names = (Object.keys(here) as AboutName[]).filter(
      (name) => after[name] !== before[name] && after[name] !== here[name],
    )
    const isKept = (name: AboutName) => here[name] !== before[name]
    for (const name of names) if (!isKept(name)) showText(form.current, name, after[name])
    const others = names.filter((name) => isKept(name) && sent.current[name] !== after[name])
    if (others.length > 0) onOthers(others)
  }
  useEffect(() => take(draft), [draft])
  return { form, sent, typed, changes, isTyped: () => Object.keys(changes()).length > 0, take }
}

function showText(form: HTMLFormElement | null, name: string, text: string): void {
  const field = form?.elements.namedItem(name)
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (isText || field instanceof HTMLSelectElement) field.value = text
}

/** @param mayLose whether the service refused what is typed, so the browser should ask @param keep sends what is not saved */
function useLeaving(mayLose: () => boolean, keep: () => void): void {
  const latest = useRef({ mayLose, keep })
  latest.current = { mayLose, keep }
  useEffect(() => {
    const ask = (event: Event) => latest.current.mayLose() && event.preventDefault()
    const onLeave = () => latest.current.keep()
    addEventListener('beforeunload', ask)
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('pagehide', onLeave)
    }
  }, [])
}
