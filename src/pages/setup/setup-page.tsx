/** @jsxImportSource preact */
/** The setup of a service as a page: each step is a form that works without scripts. */

import { resolve } from 'node:path'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import { SETTINGS_FILE } from '../../base/config/settings-file.ts'
import { accountHeaders } from '../../http/respond.ts'
import type { Finding, SetupPlace, SetupTexts, Step } from '../../upkeep/setup/step.ts'
import { STEPS } from '../../upkeep/setup/steps.ts'
import { type Answers, describeStep, type ShownField, type Taken } from '../../upkeep/setup/take-step.ts'
import { SETUP_TEXTS } from '../../upkeep/setup/texts/setup-texts.ts'
import { respondPageWith } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { OPERATE_TEXTS } from '../operate/texts/operate-texts.ts'
import { SessionToken } from '../signed-in/session-token.tsx'

export const SETUP_PATH = '/operate/setup'
/** Names of fields beside those of settings. */
export const SETUP_FIELDS = { way: 'way', anyway: 'anyway' } as const

/** The answers to a step, and the result. */
export interface Answered {
  readonly step: Step
  readonly answers: Answers
  readonly taken: Taken
}

/** Shows all steps; 422 if the answers to one did not take effect. */
export function answerSetupPage(
  view: View,
  session: FoundSession,
  place: SetupPlace,
  answered?: Answered,
): Response {
  const texts = SETUP_TEXTS[view.language]
  const status = answered === undefined || answered.taken.saved ? 200 : 422
  return respondPageWith(view, status, accountHeaders(view.exchange), {
    title: texts.heading,
    description: texts.description,
    section: 'operate',
    isPrivate: true,
    body: (
      <>
        <p class="crumbs">
          <a href={view.link('/operate')}>{OPERATE_TEXTS[view.language].heading}</a>
        </p>
        <h1>{texts.heading}</h1>
        <p class="lead">{texts.lead(resolve(SETTINGS_FILE))}</p>
        {view.isOnDesktop && <p class="note">{texts.onDesktop}</p>}
        {STEPS.map((step) => (
          <StepForm
            view={view}
            session={session}
            place={place}
            step={step}
            answered={answered?.step === step ? answered : undefined}
          />
        ))}
      </>
    ),
  })
}

interface StepOptions {
  readonly view: View
  readonly session: FoundSession
  readonly place: SetupPlace
  readonly step: Step
  readonly answered: Answered | undefined
}

function StepForm({ view, session, place, step, answered }: StepOptions) {
  const texts = SETUP_TEXTS[view.language]
  const { ways, inUse } = describeStep(place, step)
  const { name } = step
  // Answers that did not take effect stay as typed.
  const open = answered?.taken.saved === false ? answered : undefined
  const chosen = open?.answers.way ?? inUse
  const fieldsOf = (fields: readonly ShownField[]) =>
    fields.map((field) => <SetupField texts={texts} field={field} open={open} />)
  return (
    <section class="card setup" id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{texts[name as 'mail']}</h2>
      <p>{texts[`${name as 'mail'}About`]}</p>
      {answered && <Findings findings={answered.taken.findings} />}
      {/* No fragment: the result of the step takes the focus, and browsers scroll there. */}
      <form method="post" action={view.link(`${SETUP_PATH}/${name}`)}>
        <SessionToken csrfToken={session.csrfToken} />
        {ways.length === 1 ? (
          fieldsOf(ways[0]!.fields)
        ) : (
          <fieldset class="checks">
            <legend class="unseen">{texts[name as 'mail']}</legend>
            {ways.map((way, at) => (
              <div class="way">
                <label class="check">
                  <input type="radio" name={SETUP_FIELDS.way} value={at} checked={at === chosen} />
                  <span>{texts[way.name as 'mailNone']}</span>
                </label>
                {way.fields.length > 0 && <div class="fields">{fieldsOf(way.fields)}</div>}
              </div>
            ))}
          </fieldset>
        )}
        <div class="row buttons">
          <button type="submit" class="main">
            {texts.save}
          </button>
          {open?.taken.canSave && (
            <button type="submit" name={SETUP_FIELDS.anyway} value="yes">
              {texts.saveAnyway}
            </button>
          )}
        </div>
      </form>
    </section>
  )
}

const TONES = { ok: 'note good', note: 'note', bad: 'note bad' } as const

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <div role="status" tabIndex={-1} autofocus>
      {findings.map(({ state, says }) => (
        <p class={TONES[state]}>{says}</p>
      ))}
    </div>
  )
}

/** A field with its hint and the fault of its answer. */
function SetupField({
  texts,
  field: { setting, secret, isSet, text },
  open,
}: {
  texts: SetupTexts
  field: ShownField
  open: Answered | undefined
}) {
  const name = setting as 'port'
  const fault = open?.taken.faults[setting]
  const typed = open?.answers.texts[setting] ?? text
  const kind = secret ? ({ type: 'password' } as const) : ({ type: 'text' } as const)
  return (
    <div class="field">
      <label for={name}>{texts[name]}</label>
      <input
        id={name}
        name={name}
        {...kind}
        autocomplete="off"
        value={secret ? '' : typed}
        aria-describedby={`${name}-hint`}
        aria-invalid={fault !== undefined}
        autofocus={fault !== undefined}
      />
      {fault !== undefined && <span class="error">{fault}</span>}
      <span class="hint" id={`${name}-hint`}>
        {texts[`${name}Hint`]} {secret && (typed === '' ? isSet && texts.kept : texts.typeAgain)}
      </span>
    </div>
  )
}
