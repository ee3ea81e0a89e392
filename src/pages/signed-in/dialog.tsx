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
  /** Sends the answer; the function it returns runs after the dialog has closed and given back the focus. */
  readonly send: (values: Values) => Promise<() => void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Open as long as it is rendered. `onClose` is called after a success too. */
export function Dialog({ title, text, onClose, send, ...form }: DialogOptions) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it is removed: only then does the browser return the focus.
    return () => element?.close()
  }, [])
  const sendAndClose = async (values: Values) => {
    const follow = await send(values)
    onClose()
    follow()
  }
  // Fields are called by their form and name, so a field may be called `column-title`.
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

/** A button whose dialog asks. In a list it has the key of what it is about, so that the dialog goes with that. */
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
