/** @jsxImportSource preact */
import { useId, useRef, useState } from 'preact/hooks'
import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import { accountLink } from '../account/account-places.ts'
import { change, type UploadProgress, upload } from '../signed-in/api.ts'
import { Fields } from '../signed-in/fields.tsx'
import { Form } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { explain } from '../signed-in/refusals.ts'
import { Button, Section } from '../signed-in/section.tsx'
import { UPLOAD_TEXTS } from '../texts/desk-draft.ts'
import { formatBytes } from '../texts/texts.ts'
import { DESK_API, type DeskFacts, deskPath } from './desk-places.ts'

const ADDRESS_FIELD = [{ name: 'source', says: 'address', autoComplete: 'off', maxLength: 2000 }] as const

interface UploadBoxOptions {
  readonly facts: DeskFacts
  readonly upload: Upload
  readonly title: string
  readonly dataset?: string | undefined
}

export function UploadBox({ facts, upload, title, dataset }: UploadBoxOptions) {
  const language = useLanguage()
  const texts = useTexts(UPLOAD_TEXTS)
  const { sent = 0, total = 0 } = upload.sending?.progress ?? {}
  const size = (bytes: number) => formatBytes(language, bytes)
  return (
    <Section class="card" id="upload-title" title={title}>
      <div role="alert">{upload.trouble && <p class="note bad">{upload.trouble}</p>}</div>
      {upload.sending === undefined ? (
        <>
          <DropZone facts={facts} onFile={(file) => upload.start(file, dataset)} />
          <Form
            id="address"
            submit={texts.fetch}
            tone="small"
            send={async ({ source }) => {
              const body = { source, ...(dataset !== undefined && { dataset }) }
              openDraft(facts, await change<DraftBody>('POST', `${DESK_API}/drafts/from-address`, body))
            }}
          >
            <Fields texts={texts} rows={ADDRESS_FIELD} />
          </Form>
        </>
      ) : (
        <>
          <p>
            {texts.sending} <strong>{upload.sending.name}</strong>
          </p>
          <ProgressBar
            label={`${texts.sending} ${upload.sending.name}`}
            done={sent}
            total={total}
            text={texts.of(size(sent), size(total))}
          />
          <Button onPress={upload.cancel}>{texts.cancel}</Button>
        </>
      )}
    </Section>
  )
}

function DropZone({ facts, onFile }: { facts: DeskFacts; onFile: (file: File) => void }) {
  const texts = useTexts(UPLOAD_TEXTS)
  const [isOver, setOver] = useState(false)
  const onDrag = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
    const file = event.type === 'drop' ? event.dataTransfer?.files[0] : undefined
    if (file !== undefined) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
      <p>
        <FileButton label={texts.choose} tone="main" onFile={onFile} /> <span>{texts.orDrop}</span>
      </p>
      <p class="small soft">{texts.formats(formatBytes(facts.language, facts.maxUpload))}</p>
    </div>
  )
}

interface FileButtonOptions {
  readonly label: string
  readonly about?: string
  readonly tone: 'main' | 'small'
  readonly onFile: (file: File) => void
}

export function FileButton({ label, about, tone, onFile }: FileButtonOptions) {
  const id = useId()
  const onChange = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const file = input.files?.[0]
    // Allow the same file to be chosen again after a change.
    input.value = ''
    if (file !== undefined) onFile(file)
  }
  return (
    <span class="choose-file">
      <input
        id={id}
        type="file"
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
        onChange={onChange}
      />
      <label for={id} class={`button ${tone}`}>
        {label}
      </label>
    </span>
  )
}

/** @param total null if unknown */
export function ProgressBar(bar: { label: string; done: number; total: number | null; text: string }) {
  const { label, done, total, text } = bar
  const share = total === null || total === 0 ? {} : { value: Math.min(1, done / total), max: 1 }
  return (
    <p class="progress">
      <progress aria-label={label} {...share} />
      <span class="small soft number">{text}</span>
    </p>
  )
}

export type Upload = ReturnType<typeof useUpload>

export function useUpload(facts: DeskFacts) {
  const [sending, setSending] = useState<{ name: string; progress: UploadProgress }>()
  const [trouble, setTrouble] = useState<string>()
  const ending = useRef<AbortController>(null)
  const send = async (file: File, dataset: string | undefined) => {
    const controller = new AbortController()
    ending.current = controller
    const onProgress = (progress: UploadProgress) => setSending({ name: file.name, progress })
    onProgress({ sent: 0, total: file.size })
    try {
      const query = new URLSearchParams({ filename: file.name, ...(dataset !== undefined && { dataset }) })
      const path = `${DESK_API}/drafts?${query}`
      openDraft(facts, await upload<DraftBody>(path, file, onProgress, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) setTrouble(explain(facts.language, error).message)
    } finally {
      setSending(undefined)
    }
  }
  return {
    sending,
    trouble,
    /** @param dataset the one that the file is an edition of; by default found by the file's name */
    start(file: File, dataset?: string) {
      if (sending !== undefined) return
      const { language, maxUpload } = facts
      const texts = UPLOAD_TEXTS[language]
      const tooLarge = file.size > maxUpload ? texts.tooLarge(formatBytes(language, maxUpload)) : undefined
      const problem = file.size === 0 ? texts.empty : tooLarge
      setTrouble(problem)
      if (problem === undefined) void send(file, dataset)
    },
    cancel: () => ending.current?.abort(),
  }
}

function openDraft(facts: DeskFacts, { id }: Pick<DraftBody, 'id'>): void {
  location.assign(accountLink(facts, deskPath({ page: 'draft', id })))
}
