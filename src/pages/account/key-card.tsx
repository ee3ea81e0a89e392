/** @jsxImportSource preact */

/** One key of the list, with its actions. */

import type { Key } from '../../accounts/keys/key-rows.ts'
import type { UsageSummary } from '../../accounts/usage/summary.ts'
import { BoxedFact } from '../parts/fact.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { formatNumber } from '../texts/texts.ts'
import type { KeyQuestion, KeyVerb } from './key-dialogs.tsx'

export interface KeyCardOptions {
  readonly apiKey: Key
  /** A key minted by the operator may have another plan. */
  readonly accountPlan: string
  readonly calls: UsageSummary['keys'][number] | undefined
  readonly ask: (question: KeyQuestion) => void
}

export function KeyCard({ apiKey, accountPlan, calls, ask }: KeyCardOptions) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  const active = apiKey.state === 'active'
  const number = (value: number | undefined) => formatNumber(language, value ?? 0)
  return (
    <li class={active ? 'card key' : 'card key revoked'}>
      <div class="row spread">
        <h3 id={`key-${apiKey.key_id}`} tabIndex={-1}>
          {apiKey.label}
        </h3>
        <span class="row">
          {apiKey.plan !== accountPlan && <span class="tag">{texts.planOwn(apiKey.plan)}</span>}
          <StateTag apiKey={apiKey} />
        </span>
      </div>
      <dl class="key-facts">
        <BoxedFact name={texts.secret}>
          <code>{apiKey.hint}</code>
        </BoxedFact>
        <BoxedFact name={texts.calls}>{texts.callsOf(number(calls?.month), number(calls?.day))}</BoxedFact>
        <BoxedFact name={texts.lastUsed}>
          <Moment at={apiKey.last_used_at} />
        </BoxedFact>
        <BoxedFact name={texts.created}>
          <Moment at={apiKey.created_at} />
        </BoxedFact>
        {apiKey.scopes.join() !== 'read' && (
          <BoxedFact name={texts.scopes}>
            <code>{apiKey.scopes.join(', ')}</code>
          </BoxedFact>
        )}
        {apiKey.monthly_quota !== null && (
          <BoxedFact name={texts.quota}>{number(apiKey.monthly_quota)}</BoxedFact>
        )}
        {apiKey.expires_at !== null && (
          <BoxedFact name={texts.expires}>
            <Moment at={apiKey.expires_at} />
          </BoxedFact>
        )}
        {apiKey.rotated_at !== null && (
          <BoxedFact name={texts.rotated}>
            <Moment at={apiKey.rotated_at} />
          </BoxedFact>
        )}
        {apiKey.revoked_at !== null && (
          <BoxedFact name={texts.revokedAt}>
            <Moment at={apiKey.revoked_at} />
          </BoxedFact>
        )}
      </dl>
      <Actions apiKey={apiKey} ask={ask} />
    </li>
  )
}

function StateTag({ apiKey: { state, expires_at } }: Pick<KeyCardOptions, 'apiKey'>) {
  const texts = useTexts(KEYS_TEXTS)
  if (state === 'revoked') return <span class="tag bad">{texts.stateRevoked}</span>
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  if (isExpired) return <span class="tag bad">{texts.stateExpired}</span>
  return <span class="tag good">{texts.stateActive}</span>
}

const ACTIVE_VERBS = ['rename', 'rotate', 'revoke'] as const
const REVOKED_VERBS = ['rename', 'remove'] as const

function Actions({ apiKey, ask }: Pick<KeyCardOptions, 'apiKey' | 'ask'>) {
  const texts = useTexts(KEYS_TEXTS)
  const verbs: readonly Exclude<KeyVerb, 'rotate-all'>[] =
    apiKey.state === 'active' ? ACTIVE_VERBS : REVOKED_VERBS
  return (
    <div class="row">
      {verbs.map((verb) => (
        <button
          key={verb}
          type="button"
          class={verb === 'revoke' || verb === 'remove' ? 'small danger' : 'small'}
          aria-label={texts.actionOf(texts[verb], apiKey.label)}
          onClick={() => ask({ verb, key: apiKey })}
        >
          {texts[verb]}
        </button>
      ))}
    </div>
  )
}
