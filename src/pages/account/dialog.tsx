/** @jsxImportSource preact */

/** A question over the page: the browser's own modal dialog, with a form in it. Escape leaves; focus goes back. */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Form, type FormOptions } from './form.tsx'
import type { Values } from './refusals.ts'

export interface DialogOptions extends Omit<FormOptions, 'onCancel' | 'send'> {
  readonly title: string
  /** What follows from it. */
  readonly text: string
  /** Sends the answer; what it returns is done once the dialog is gone and the page can have the focus again. */
  readonly send: (values: Values) => Promise<() => void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Shows itself as long as it is rendered. `onClose` follows a success as well. */
export function Dialog({ title, text, onClose, send, ...form }: DialogOptions) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it goes: only then the browser gives the focus back to what opened it.
    return () => element?.close()
  }, [])
  const sendAndClose = async (values: Values) => {
    const follow = await send(values)
    onClose()
    follow()
  }
  const titleId = `${form.id}-title`
  const textId = `${form.id}-text`
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      <p id={textId}>{text}</p>
      <Form {...form} send={sendAndClose} onCancel={onClose} />
    </dialog>
  )
}
