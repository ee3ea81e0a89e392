/** @jsxImportSource preact */

/**
 * Forms of the console: labels, hints and errors beside their fields; what is wrong is announced and focused; while it
 * is sent a form does not take a second press. Fields keep their own values, so nothing typed early is lost.
 */

import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../mail/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { explain, NO_TROUBLE, type Trouble, type Values } from './refusals.ts'

interface FormState {
  readonly id: string
  readonly language: Language
  readonly trouble: Trouble
}

const FormContext = createContext<FormState>({ id: '', language: 'ro', trouble: NO_TROUBLE })

export interface FormOptions {
  /** Of the form; ids of fields begin with it. */
  readonly id: string
  readonly language: Language
  /** What the button says. */
  readonly submit: string
  readonly tone?: 'main' | 'danger' | 'quiet'
  /** What can be said against the values without asking. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>
  /** Sends the values; what it throws is shown. */
  readonly send: (values: Values, form: HTMLFormElement) => Promise<void>
  /** Beside the button, for leaving without sending. */
  readonly onCancel?: () => void
  readonly children?: ComponentChildren
}

export function Form({ id, language, submit, tone = 'main', check, send, onCancel, children }: FormOptions) {
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE)
  const ready = useReady()
  const texts = ACCOUNT_TEXTS[language]

  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (sending.current || form.current === null) return
    const values = readValues(form.current)
    const fields = check?.(values) ?? {}
    if (Object.keys(fields).length > 0) return setTrouble({ fields })
    sending.current = true
    setBusy(true)
    setTrouble(NO_TROUBLE)
    try {
      await send(values, form.current)
    } catch (error) {
      setTrouble(explain(language, error, values))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  useEffect(() => {
    if (Object.keys(trouble.fields).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [trouble])

  return (
    <FormContext.Provider value={{ id, language, trouble }}>
      {/* Before its island runs a form cannot be sent, and by post nothing of it could get into an address. */}
      <form id={id} ref={form} method="post" noValidate onSubmit={onSubmit}>
        <div role="alert">{trouble.message && <p class="note bad">{trouble.message}</p>}</div>
        {children}
        <div class="row buttons">
          <button type="submit" class={tone} disabled={!ready} aria-disabled={busy}>
            {busy ? texts.sending : submit}
          </button>
          {onCancel && (
            <button type="button" onClick={onCancel} autofocus={children === undefined}>
              {texts.cancel}
            </button>
          )}
        </div>
      </form>
    </FormContext.Provider>
  )
}

let isIslandRunning = false

/** False on the server and until the island runs; a form that comes later, in a dialog, is ready for the first Enter. */
function useReady(): boolean {
  const [ready, setReady] = useState(isIslandRunning)
  useEffect(() => {
    isIslandRunning = true
    setReady(true)
  }, [])
  return ready
}

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly optional?: boolean
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete?: string
  readonly maxLength?: number
  readonly value?: string
}

/** A labelled input with its hint and, beside it, what is wrong with it. */
export function Field({ name, label, hint, optional = false, ...rest }: FieldOptions) {
  const { id: formId, language, trouble } = useContext(FormContext)
  const id = `${formId}-${name}`
  const wrong = trouble.fields[name]
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && <span class="soft">({ACCOUNT_TEXTS[language].optional})</span>}
      </label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Input
        {...{ id, name, language, optional, ...rest }}
        describedBy={describe(id, hint, wrong)}
        wrong={wrong}
      />
      <FieldError id={id} wrong={wrong} />
    </div>
  )
}

interface InputOptions extends Omit<FieldOptions, 'label' | 'hint'> {
  readonly id: string
  readonly language: Language
  readonly describedBy: string | undefined
  readonly wrong: string | undefined
}

function Input({
  id,
  name,
  type = 'text',
  language,
  describedBy,
  wrong,
  optional,
  value,
  ...rest
}: InputOptions) {
  const [shown, setShown] = useState(false)
  // Each kind of input has a type of its own; what stands here fits them all.
  const kind = (shown ? 'text' : type) as 'text'
  const input = (
    <input
      {...{ id, name, ...rest }}
      type={kind}
      defaultValue={value ?? ''}
      required={!optional}
      aria-invalid={wrong !== undefined}
      aria-describedby={describedBy}
      autocapitalize={type === 'text' ? undefined : 'none'}
      spellcheck={false}
    />
  )
  if (type !== 'password') return input
  const texts = ACCOUNT_TEXTS[language]
  return (
    <div class="with-button">
      {input}
      <button
        type="button"
        class="plain"
        aria-label={shown ? texts.hidePassword : texts.showPassword}
        title={shown ? texts.hidePassword : texts.showPassword}
        aria-controls={id}
        onClick={() => setShown(!shown)}
      >
        <Eye open={shown} />
      </button>
    </div>
  )
}

function Eye({ open }: { open: boolean }) {
  return (
    <svg class="eye" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d="M2 12c3-5 6.3-7 10-7s7 2 10 7c-3 5-6.3 7-10 7s-7-2-10-7Z" />
      <circle cx="12" cy="12" r="3" />
      {open && <path d="M4 20 20 4" />}
    </svg>
  )
}

export interface ChoiceOptions {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  /** Lets other parts know at once, outside of a form. */
  readonly onChoose?: (value: string) => void
  /** For a choice outside of a form. */
  readonly id?: string
}

/** A labelled choice of a few. */
export function Choice({ name, label, value, choices, onChoose, id }: ChoiceOptions) {
  const form = useContext(FormContext)
  const fieldId = id ?? `${form.id}-${name}`
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <select id={fieldId} name={name} onChange={(event) => onChoose?.(event.currentTarget.value)}>
        {choices.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Always there, so that what appears in it is announced. */
function FieldError({ id, wrong }: { id: string; wrong: string | undefined }) {
  return (
    <span class="error" id={`${id}-error`} aria-live="polite">
      {wrong}
    </span>
  )
}

function describe(id: string, hint: string | undefined, wrong: string | undefined): string | undefined {
  const ids = [wrong === undefined ? '' : `${id}-error`, hint === undefined ? '' : `${id}-hint`]
  return ids.filter((one) => one !== '').join(' ') || undefined
}

/** For password managers: whose password the form is about. */
export function UserName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}
