/** @jsxImportSource preact */
/** All keys with their terms; the only secret ever shown is that of a key that was just minted. */

import type { Key } from '../../accounts/keys/key-rows.ts'
import type { Plan } from '../../accounts/keys/plans.ts'
import type { Pagination } from '../../base/pagination.ts'
import { KeyFacts, StateTag } from '../account/keys.tsx'
import { Choice, Field } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { planName } from '../texts/parts.ts'
import { type Desk, given, OPERATE_PATHS } from './operate-places.ts'
import { isSent, OperationForm, valuesIn } from './operation-form.tsx'
import { PagesOfList } from './pages-of-list.tsx'
import { OPERATED_KEYS_TEXTS } from './texts/operate-texts.ts'

interface OwnedKey extends Key {
  readonly user_id: number | null
  readonly email: string | null
}

export async function showKeys(desk: Desk) {
  const [{ data, pagination }, plans] = await Promise.all([
    desk.read<{ data: readonly OwnedKey[]; pagination: Pagination }>(
      'listAllKeys',
      given(desk, ['limit', 'offset']),
    ),
    desk.read<readonly Plan[]>('listPlans'),
  ])
  return (
    <>
      <ul class="keys bare">
        {data.map((key) => (
          <KeyItem desk={desk} item={key} />
        ))}
      </ul>
      <PagesOfList desk={desk} pagination={pagination} />
      <Mint desk={desk} plans={plans} />
    </>
  )
}

const NO_TERMS = { scopes: '', monthly_quota: '', expires_at: '' }

function Mint({ desk, plans }: { desk: Desk; plans: readonly Plan[] }) {
  const texts = useTexts(OPERATED_KEYS_TEXTS)
  const ofKeys = useTexts(KEYS_TEXTS)
  const language = useLanguage()
  const none = { label: '', plan: '', user_id: '', ...NO_TERMS }
  const typed = valuesIn(desk, 'mintOperatorKey', {}, none)
  return (
    <Section class="card narrow" id="mint-title" title={texts.mint} text={texts.mintText}>
      <OperationForm desk={desk} operation="mintOperatorKey" submit={ofKeys.mint} tone="main">
        <Field name="label" label={ofKeys.label} value={typed.label} autoComplete="off" maxLength={100} />
        <Choice
          name="plan"
          label={ofKeys.plan}
          value={typed.plan}
          choices={[
            ['', texts.planOfAccount],
            ...plans.map(({ name }) => [name, planName(language, name)] as const),
          ]}
        />
        <Field
          name="user_id"
          label={texts.account}
          hint={texts.accountHint}
          value={typed.user_id}
          autoComplete="off"
          optional
        />
        <Terms values={typed} />
      </OperationForm>
    </Section>
  )
}

/** The fields of a key's terms. */
function Terms({ values }: { values: typeof NO_TERMS }) {
  const texts = useTexts(OPERATED_KEYS_TEXTS)
  const ofKeys = useTexts(KEYS_TEXTS)
  const rows = [
    ['scopes', ofKeys.scopes, texts.scopesHint],
    ['monthly_quota', ofKeys.quota, texts.quotaHint],
    ['expires_at', ofKeys.expires, texts.expiresHint],
  ] as const
  return rows.map(([name, label, hint]) => (
    <Field {...{ name, label, hint }} value={values[name]} autoComplete="off" optional />
  ))
}

function KeyItem({ desk, item }: { desk: Desk; item: OwnedKey }) {
  const texts = useTexts(OPERATED_KEYS_TEXTS)
  const ofKeys = useTexts(KEYS_TEXTS)
  const { key_id, label, state, email, user_id, plan } = item
  const account = desk.view.link(`${OPERATE_PATHS.accounts}/${user_id}`)
  const isActive = state === 'active'
  return (
    <li class={isActive ? 'card key' : 'card key revoked'}>
      <div class="row spread">
        <h2>{label}</h2>
        <StateTag apiKey={item} />
      </div>
      <KeyFacts
        apiKey={item}
        more={[
          [texts.number, key_id],
          [texts.owner, user_id === null ? texts.operator : <a href={account}>{email}</a>],
          [ofKeys.plan, planName(useLanguage(), plan)],
        ]}
      />
      {isActive && <KeyForms desk={desk} item={item} />}
    </li>
  )
}

/** Folded, since a page has many keys and only one of them is changed. */
function KeyForms({ desk, item }: { desk: Desk; item: OwnedKey }) {
  const texts = useTexts(OPERATED_KEYS_TEXTS)
  const ofKeys = useTexts(KEYS_TEXTS)
  const { label, scopes, monthly_quota, expires_at } = item
  const about = { key_id: String(item.key_id) }
  const typed = valuesIn(desk, 'changeAnyKey', about, {
    ...{ label, scopes: scopes.join(', '), expires_at: expires_at ?? '' },
    monthly_quota: monthly_quota === null ? '' : String(monthly_quota),
  })
  return (
    <>
      <details open={isSent(desk, 'changeAnyKey', about)}>
        <summary>{ofKeys.renameTitle(label)}</summary>
        <OperationForm desk={desk} operation="changeAnyKey" about={about} submit={texts.save}>
          <Field name="label" label={ofKeys.label} value={typed.label} autoComplete="off" maxLength={100} />
          <Terms values={typed} />
        </OperationForm>
      </details>
      <details open={isSent(desk, 'revokeAnyKey', about)}>
        <summary>{ofKeys.revokeTitle(label)}</summary>
        <p>{texts.revokeText}</p>
        <OperationForm
          {...{ desk, about, label }}
          operation="revokeAnyKey"
          submit={ofKeys.revoke}
          tone="danger"
        />
      </details>
    </>
  )
}
