/** @jsxImportSource preact */
/** A modal dialog (the browser's own) with a form. Escape closes it, and the focus returns to where it was. */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Form, type FormOptions } from './form.tsx'
import type { Values } from './refusals.ts'
import { Button, type ButtonOptions } from './section.tsx'
import { useQuestion } from './status.tsx'

export interface DialogOptions extends Omit<FormOptions, 'onCancel' | 'send'> {
  readonly title: string
  readonly text: string
  /** Sends the answer; the returned function runs after the dialog has closed and returned the focus. */
  readonly send: (values: Values) => Promise<() => void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** A dialog that is open as long as it is rendered. `onClose` is also called after a success. */
export function Dialog({ title, text, onClose, send, ...form }: DialogOptions) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Close it before it is removed: only then does the browser return the focus.
    return () => element?.close()
  }, [])
  const sendAndClose = async (values: Values) => {
    const follow = await send(values)
    onClose()
    follow()
  }
  // Ids of fields are made from form and name, so a field may have the id `column-title`.
  const titleId = `${form.id}-dialog-title`
  const textId = `${form.id}-dialog-text`
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

export interface AskOptions extends Omit<DialogOptions, 'onClose'>, Pick<ButtonOptions, 'class' | 'about'> {
  readonly label?: string | undefined
}

/** A button that opens a dialog. In a list, give it the item's key, so that the dialog disappears with the item. */
export function AskButton({ label, class: look, about, ...dialog }: AskOptions) {
  const question = useQuestion<true>()
  return (
    <>
      <Button class={look} about={about} onPress={() => question.ask(true)}>
        {label ?? dialog.submit}
      </Button>
      {question.open && <Dialog {...dialog} onClose={question.close} />}
    </>
  )
}
