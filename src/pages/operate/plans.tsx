/** @jsxImportSource preact */
/** The plans: three limits each, which apply at once to all accounts and keys of the plan. */

import type { Plan } from '../../accounts/keys/plans.ts'
import { Field } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { planName } from '../texts/parts.ts'
import type { Desk } from './operate-places.ts'
import { isSent, OperationForm, valuesIn } from './operation-form.tsx'
import { PLANS_TEXTS } from './texts/operate-texts.ts'

const LIMITS = ['monthly_quota', 'per_minute', 'max_active_keys'] as const

export async function showPlans(desk: Desk) {
  const plans = await desk.read<readonly Plan[]>('listPlans')
  const texts = PLANS_TEXTS[desk.view.language]
  const isRefused =
    isSent(desk, 'setPlan') && !plans.some(({ name }) => name === desk.sent!.fields.get('plan'))
  const typed = isRefused ? desk.sent!.fields : new URLSearchParams()
  return (
    <>
      <p class="lead">{texts.lead}</p>
      <div class="grid">
        {plans.map((plan) => (
          <PlanForm desk={desk} plan={plan} />
        ))}
      </div>
      <Section class="card narrow" id="new-plan" title={texts.create}>
        <OperationForm desk={desk} operation="setPlan" submit={texts.createButton} tone="main">
          <Field
            name="plan"
            label={texts.name}
            hint={texts.nameHint}
            value={typed.get('plan') ?? ''}
            autoComplete="off"
          />
          <LimitFields values={Object.fromEntries(LIMITS.map((limit) => [limit, typed.get(limit) ?? '']))} />
        </OperationForm>
      </Section>
    </>
  )
}

function PlanForm({ desk, plan }: { desk: Desk; plan: Plan }) {
  const texts = useTexts(PLANS_TEXTS)
  const language = useLanguage()
  const about = { plan: plan.name }
  const now = Object.fromEntries(
    LIMITS.map((limit) => [limit, plan[limit] === null ? '' : String(plan[limit])]),
  )
  const title = planName(language, plan.name)
  return (
    <Section class="card" id={`plan-${plan.name}`} title={title}>
      <OperationForm {...{ desk, about }} operation="setPlan" submit={texts.save} label={title}>
        <LimitFields values={valuesIn(desk, 'setPlan', about, now)} />
      </OperationForm>
    </Section>
  )
}

function LimitFields({ values }: { values: Readonly<Record<string, string>> }) {
  const texts = useTexts(PLANS_TEXTS)
  return LIMITS.map((name) => (
    <Field name={name} label={texts[name]} value={values[name] ?? ''} autoComplete="off" optional />
  ))
}
