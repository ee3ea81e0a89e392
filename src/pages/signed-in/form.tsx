/** @jsxImportSource preact */
/**
 * Forms of the pages behind the sign-in: labels, hints and errors are beside their fields, and errors are announced and
 * focused. Fields keep their own values, so text typed before the island runs is not lost.
 */

import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../base/text/language.ts'
import { ACCOUNT_TEXTS, REFUSAL_TEXTS } from '../texts/account.ts'
import { FormContext } from './form-context.ts'
import { useLanguage, useTexts } from './page-language.ts'
import { explain, NO_TROUBLE, type Trouble, type Values } from './refusals.ts'

export interface FormOptions {
  readonly id: string
  readonly submit: string
  readonly tone?: 'main' | 'danger' | 'small'
  /** Finds faults in the values, beyond missing required ones. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>
  readonly send: (values: Values, form: HTMLFormElement) => Promise<void>
  readonly onCancel?: () => void
  readonly children?: ComponentChildren
}

export function Form({ id, submit, tone = 'main', onCancel, children, ...rest }: FormOptions) {
  const { form, busy, trouble, onSubmit } = useSending(rest)
  const ready = useReady()
  const texts = useTexts(ACCOUNT_TEXTS)
  return (
    <FormContext.Provider value={{ id, trouble }}>
      {/* The form cannot be sent before its island runs; `post` keeps its values out of the address in any case. */}
      <form id={id} ref={form} method="post" noValidate onSubmit={onSubmit}>
        <div role="alert">{trouble.message && <p class="note bad">{trouble.message}</p>}</div>
        {children}
        <div class="row buttons">
          <button type="submit" class={tone} disabled={!ready} aria-disabled={busy}>
            {busy ? texts.sending : submit}
          </button>
          {onCancel && (
            <button type="button" onClick={onCancel} autofocus={!children}>
              {texts.cancel}
            </button>
          )}
        </div>
      </form>
    </FormContext.Provider>
  )
}

interface TypedFormOptions {
  readonly id: string
  readonly form: { current: HTMLFormElement | null }
  readonly trouble: Trouble
  readonly onType: () => void
  readonly onEnter: () => void
  readonly children: ComponentChildren
}

/** A form without a button that saves what is typed; a wrong field is reported but does not take the focus. */
export function TypedForm({ id, form, trouble, onType, onEnter, children }: TypedFormOptions) {
  const onSubmit = (event: Event) => {
    event.preventDefault()
    onEnter()
  }
  return (
    <FormContext.Provider value={{ id, trouble }}>
      <form id={id} ref={form} method="post" noValidate onInput={onType} onSubmit={onSubmit}>
        <div role="alert">{trouble.message && <p class="note bad">{trouble.message}</p>}</div>
        {children}
      </form>
    </FormContext.Provider>
  )
}

/** The values of a form's fields, by name. */
export function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

/** Checks and sends the values of a form, one submission at a time, and focuses the first wrong field. */
function useSending({ check, send }: Pick<FormOptions, 'check' | 'send'>) {
  const language = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE)
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (sending.current || form.current === null) return
    const values = valuesOf(form.current)
    const fields = { ...wrongFields(language, form.current), ...check?.(values) }
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
    if (Object.keys(trouble.fields).length > 0) focusWrong(form.current)
  }, [trouble])
  return { form, busy, trouble, onSubmit }
}

/** Focuses the first wrong field. */
export function focusWrong(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset:has(> .error:not(:empty))')
  first?.closest('details')?.setAttribute('open', '')
  first?.focus()
}

let isIslandRunning = false

/** False on the server and until the island runs. A form rendered later, in a dialog, is ready for the first Enter. */
function useReady(): boolean {
  const [ready, setReady] = useState(isIslandRunning)
  useEffect(() => {
    isIslandRunning = true
    setReady(true)
  }, [])
  return ready
}

/** Faults of fields: an empty required one, and an incomplete date, which the browser cannot read. */
function wrongFields(language: Language, form: HTMLFormElement): Record<string, string> {
  const texts = REFUSAL_TEXTS[language]
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement)
  return Object.fromEntries(
    inputs.flatMap(({ name, required, value, validity }) => {
      if (validity.badInput) return [[name, texts.field]]
      return required && value.trim() === '' ? [[name, texts.required]] : []
    }),
  )
}

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly optional?: boolean
  readonly type?: 'text' | 'area' | 'email' | 'password' | 'datetime-local'
  readonly autoComplete?: string
  readonly maxLength?: number
  readonly value?: string
}

export function Field({ name, label, hint, optional = false, ...rest }: FieldOptions) {
  const { id: formId, trouble, hasScript = true } = useContext(FormContext)
  const texts = useTexts(ACCOUNT_TEXTS)
  const id = `${formId}-${name}`
  const wrong = trouble.fields[name]
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && hasScript && <span class="soft">({texts.optional})</span>}
      </label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Input {...{ ...rest, id, name, optional, wrong, describedBy: describe(id, hint, wrong) }} />
      <Wrong id={id} text={wrong} />
    </div>
  )
}

/** Fields that form one value, with one hint and one error. */
export function FieldGroup(
  options: Pick<FieldOptions, 'name' | 'label' | 'hint'> & { children: ComponentChildren },
) {
  const { name, label, hint, children } = options
  const { id: formId, trouble } = useContext(FormContext)
  const id = `${formId}-${name}`
  const wrong = trouble.fields[name]
  return (
    <fieldset class="field group" id={id} tabIndex={-1} aria-describedby={describe(id, hint, wrong)}>
      <legend>{label}</legend>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children}
      <Wrong id={id} text={wrong} />
    </fieldset>
  )
}

/** Always rendered, so that screen readers announce what appears in it. */
function Wrong({ id, text }: { id: string; text: string | undefined }) {
  return (
    <span class="error" id={`${id}-error`} aria-live="polite">
      {text}
    </span>
  )
}

interface InputOptions extends Omit<FieldOptions, 'label' | 'hint'> {
  readonly id: string
  readonly describedBy: string | undefined
  readonly wrong: string | undefined
}

function Input({ type = 'text', describedBy, wrong, optional, value, ...rest }: InputOptions) {
  const [shown, setShown] = useState(false)
  const { hasScript = true } = useContext(FormContext)
  const texts = useTexts(ACCOUNT_TEXTS)
  const attributes = {
    required: !optional,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': describedBy,
    autofocus: wrong !== undefined && !hasScript,
  }
  if (type === 'area') return <textarea {...rest} {...attributes} rows={3} defaultValue={value ?? ''} />
  const input = (
    <input
      {...rest}
      {...attributes}
      // The types of `input` differ by kind; these attributes fit all of them.
      type={(shown ? 'text' : type) as 'text'}
      defaultValue={value ?? ''}
      autocapitalize={type === 'text' ? undefined : 'none'}
      spellcheck={false}
    />
  )
  if (type !== 'password' || !hasScript) return input
  const label = shown ? texts.hidePassword : texts.showPassword
  return (
    <div class="with-button">
      {input}
      <button
        type="button"
        class="plain"
        aria-label={label}
        title={label}
        aria-controls={rest.id}
        onClick={() => setShown(!shown)}
      >
        <svg class="eye" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M2 12c3-5 6.3-7 10-7s7 2 10 7c-3 5-6.3 7-10 7s-7-2-10-7Z" />
          <circle cx="12" cy="12" r="3" />
          {shown && <path d="M4 20 20 4" />}
        </svg>
      </button>
    </div>
  )
}

export interface ChoiceOptions {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChoose?: (value: string) => void
  readonly id?: string
}

export function Choice({ name, label, value, choices, onChoose, id }: ChoiceOptions) {
  const form = useContext(FormContext)
  const fieldId = id ?? `${form.id}-${name}`
  const wrong = form.trouble.fields[name]
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <select
        id={fieldId}
        name={name}
        aria-invalid={wrong !== undefined}
        aria-describedby={describe(fieldId, undefined, wrong)}
        autofocus={wrong !== undefined && form.hasScript === false}
        onChange={(event) => onChoose?.(event.currentTarget.value)}
      >
        {choices.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      <Wrong id={fieldId} text={wrong} />
    </div>
  )
}

function describe(id: string, hint: string | undefined, wrong: string | undefined): string | undefined {
  const ids = [wrong === undefined ? '' : `${id}-error`, hint === undefined ? '' : `${id}-hint`]
  return ids.filter((one) => one !== '').join(' ') || undefined
}
