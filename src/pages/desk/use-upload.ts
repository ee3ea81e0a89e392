/** Sending a file to the desk: one at a time, with its progress. The draft's page follows. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import { accountLink } from '../account/places.ts'
import { type UploadProgress, upload } from '../signed-in/api.ts'
import { explain } from '../signed-in/refusals.ts'
import { UPLOAD_TEXTS } from '../texts/desk-draft.ts'
import { formatBytes } from '../texts/texts.ts'
import { DESK_API, type DeskFacts, deskPath } from './places.ts'

export interface Upload {
  readonly sending: { readonly name: string; readonly progress: UploadProgress } | undefined
  readonly trouble: string | undefined
  /** @param dataset the one that the file is an edition of; left out: found by the file's name */
  readonly start: (file: File, dataset?: string) => void
  readonly cancel: () => void
}

export function useUpload(facts: DeskFacts): Upload {
  const [sending, setSending] = useState<Upload['sending']>()
  const [trouble, setTrouble] = useState<string>()
  const ending = useRef<AbortController>(null)
  useStayWhile(sending !== undefined)
  const send = async (file: File, dataset: string | undefined) => {
    const controller = new AbortController()
    ending.current = controller
    const onProgress = (progress: UploadProgress) => setSending({ name: file.name, progress })
    onProgress({ sent: 0, total: file.size })
    try {
      const query = new URLSearchParams({ filename: file.name, ...(dataset !== undefined && { dataset }) })
      const draft = await upload<DraftBody>(
        `${DESK_API}/drafts?${query}`,
        file,
        onProgress,
        controller.signal,
      )
      setSending(undefined)
      openDraft(facts, draft)
    } catch (error) {
      setSending(undefined)
      if (!controller.signal.aborted) setTrouble(explain(facts.language, error).message)
    }
  }
  return {
    ...{ sending, trouble },
    start(file, dataset) {
      if (sending !== undefined) return
      const problem = refuseFile(facts, file)
      setTrouble(problem)
      if (problem === undefined) void send(file, dataset)
    },
    cancel: () => ending.current?.abort(),
  }
}

export function openDraft(facts: DeskFacts, { id }: Pick<DraftBody, 'id'>): void {
  // Before the page is left: `beforeunload` asks only while a file is being sent.
  setTimeout(() => location.assign(accountLink(facts, deskPath({ page: 'draft', id }))))
}

/** What is known without sending it. */
function refuseFile({ language, maxUpload }: DeskFacts, { size }: File): string | undefined {
  const texts = UPLOAD_TEXTS[language]
  if (size === 0) return texts.empty
  return size > maxUpload ? texts.tooLarge(formatBytes(language, maxUpload)) : undefined
}

/** Has the browser ask before the page is left. */
function useStayWhile(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isBusy])
}
