/** @jsxImportSource preact */

/** A file to publish: dropped, chosen, or given by its address. */

import { useState } from 'preact/hooks'
import type { DraftBody } from '../../publish/drafts/describe-draft.ts'
import { change } from '../signed-in/api.ts'
import { Field, Form } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { missing } from '../signed-in/refusals.ts'
import { UPLOAD_TEXTS } from '../texts/desk-draft.ts'
import { formatBytes } from '../texts/texts.ts'
import { FileButton } from './file-button.tsx'
import { DESK_API, type DeskFacts } from './places.ts'
import { ProgressBar } from './progress-bar.tsx'
import { openDraft, type Upload } from './use-upload.ts'

export interface UploadBoxOptions {
  readonly facts: DeskFacts
  readonly upload: Upload
  readonly title: string
  /** The dataset that the file is an edition of. */
  readonly dataset?: string | undefined
}

export function UploadBox({ facts, upload, title, dataset }: UploadBoxOptions) {
  return (
    <section class="card" aria-labelledby="upload-title">
      <h2 id="upload-title">{title}</h2>
      <div role="alert">{upload.trouble && <p class="note bad">{upload.trouble}</p>}</div>
      {upload.sending === undefined ? (
        <>
          <DropZone facts={facts} onFile={(file) => upload.start(file, dataset)} />
          <AddressForm facts={facts} dataset={dataset} />
        </>
      ) : (
        <Sending upload={upload} sending={upload.sending} />
      )}
    </section>
  )
}

function DropZone({ facts, onFile }: { facts: DeskFacts; onFile: (file: File) => void }) {
  const texts = useTexts(UPLOAD_TEXTS)
  const [isOver, setOver] = useState(false)
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p>
        <FileButton label={texts.choose} tone="main" onFile={onFile} /> <span>{texts.orDrop}</span>
      </p>
      <p class="small soft">{texts.formats(formatBytes(facts.language, facts.maxUpload))}</p>
    </div>
  )
}

function AddressForm({ facts, dataset }: Pick<UploadBoxOptions, 'facts' | 'dataset'>) {
  const texts = useTexts(UPLOAD_TEXTS)
  return (
    <Form
      id="address"
      submit={texts.fetch}
      tone="quiet"
      check={(values) => missing(facts.language, values, ['source'])}
      send={async ({ source }) => {
        const body = { source, ...(dataset !== undefined && { dataset }) }
        openDraft(facts, await change<DraftBody>('POST', `${DESK_API}/drafts/from-address`, body))
      }}
    >
      <Field
        name="source"
        label={texts.address}
        hint={texts.addressHint}
        autoComplete="off"
        maxLength={2000}
      />
    </Form>
  )
}

function Sending({ upload, sending }: { upload: Upload; sending: NonNullable<Upload['sending']> }) {
  const language = useLanguage()
  const texts = useTexts(UPLOAD_TEXTS)
  const { sent, total } = sending.progress
  const size = (bytes: number) => formatBytes(language, bytes)
  return (
    <>
      <p>
        {texts.sending} <strong>{sending.name}</strong>
      </p>
      <ProgressBar
        label={`${texts.sending} ${sending.name}`}
        done={sent}
        total={total}
        text={texts.of(size(sent), size(total))}
      />
      <button type="button" onClick={upload.cancel}>
        {texts.cancel}
      </button>
    </>
  )
}
