/** @jsxImportSource preact */
/** A form of the desk: it works without scripts, and does the same as a call of `/operate/api`. */

import type { ComponentChildren } from 'preact'
import type { ApiError } from '../../base/errors.ts'
import { RefusedNote } from '../parts/code-box.tsx'
import { sayRefusal } from '../parts/say-refusal.ts'
import { Refusal } from '../signed-in/api.ts'
import { FormContext } from '../signed-in/form-context.ts'
import { explain, NO_TROUBLE, type Trouble } from '../signed-in/refusals.ts'
import { SessionToken } from '../signed-in/session-token.tsx'
import { type Desk, FORM_FIELDS } from './operate-places.ts'
import { OPERATE_TEXTS } from './texts/operate-texts.ts'

interface OperationFormOptions {
  readonly desk: Desk
  readonly operation: string
  /** Hidden fields, which distinguish this form from others for the same operation on the page. */
  readonly about?: Readonly<Record<string, string>>
  readonly submit: string
  readonly tone?: 'main' | 'danger' | 'small' | 'small danger'
  readonly label?: string
  readonly children?: ComponentChildren
}

export function OperationForm(options: OperationFormOptions) {
  const { desk, operation, about = {}, submit, tone, label, children } = options
  const { view, session } = desk
  const id = [operation, ...Object.values(about)].join('-')
  const refusal = isSent(desk, operation, about) ? desk.sent!.refusal : null
  const trouble = refusal === null ? NO_TROUBLE : troubleOf(desk, refusal)
  const hidden = { [FORM_FIELDS.operation]: operation, ...about }
  return (
    <FormContext.Provider value={{ id, trouble, hasScript: false }}>
      <form method="post" id={id} aria-label={label}>
        <SessionToken csrfToken={session.csrfToken} />
        {Object.entries(hidden).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {refusal !== null && trouble.message !== undefined && (
          <div tabIndex={-1} autofocus>
            <RefusedNote
              language={view.language}
              said={{ text: trouble.message, original: sayRefusal(view.language, refusal).original }}
            />
          </div>
        )}
        {children}
        <div class="row buttons">
          <button type="submit" class={tone} aria-label={label && `${submit}: ${label}`}>
            {submit}
          </button>
        </div>
      </form>
    </FormContext.Provider>
  )
}

/** Whether this form was sent and refused; it is then shown open, with what was typed. */
export function isSent(
  { sent }: Desk,
  operation: string,
  about: Readonly<Record<string, string>> = {},
): boolean {
  if (sent?.operation !== operation || sent.refusal === null) return false
  return Object.entries(about).every(([name, value]) => sent.fields.get(name) === value)
}

/** The values in a form's fields: what was typed and refused, else the current ones. */
export function valuesIn<Name extends string>(
  desk: Desk,
  operation: string,
  about: Readonly<Record<string, string>>,
  now: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  if (!isSent(desk, operation, about)) return now
  const typed = Object.keys(now).map((name) => [name, desk.sent!.fields.get(name) ?? now[name as Name]])
  return Object.fromEntries(typed) as Record<Name, string>
}

function troubleOf({ view: { language }, sent }: Desk, refusal: ApiError): Trouble {
  const { code, message, detail: problems = [], retryAfter: wait } = refusal
  const typed = Object.fromEntries(sent!.fields)
  const { fields, ...rest } = explain(language, new Refusal(code, message, { problems, wait }), typed)
  const texts = OPERATE_TEXTS[language]
  // `explain` writes for account holders, who choose scopes from a list and have quotas within a plan.
  const said = Object.entries(fields).map(([name, text]) => {
    if (sent!.operation === 'setPlan') return [name, texts.limitWrong]
    if (name !== 'scopes') return [name, text]
    const scopes = typed[name]!.split(/[\s,]+/)
    const unknown = problems.flatMap(({ message: why, suggestions = [] }) => {
      const scope = scopes.find((one) => why.includes(`for the scope ${one}.`))
      return scope === undefined ? [] : [texts.scopeUnknown(scope, suggestions.join(', '))]
    })
    return [name, unknown.join(' ') || texts.scopesWrong]
  })
  return { ...rest, fields: Object.fromEntries(said) }
}
