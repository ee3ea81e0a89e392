/** @jsxImportSource preact */

/** One key of the list, with what can be done to it. */

import type { ComponentChildren } from 'preact'
import type { Key } from '../../keys/key-rows.ts'
import type { Language } from '../../mail/language.ts'
import type { UsageSummary } from '../../usage/summary.ts'
import { formatNumber } from '../parts/format.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import type { KeyQuestion, KeyVerb } from './key-dialogs.tsx'
import { Moment } from './moment.tsx'

export interface KeyCardOptions {
  readonly language: Language
  readonly apiKey: Key
  /** A key minted by the operator may be on another. */
  readonly accountPlan: string
  readonly calls: UsageSummary['keys'][number] | undefined
  readonly ask: (question: KeyQuestion) => void
}

export function KeyCard({ language, apiKey, accountPlan, calls, ask }: KeyCardOptions) {
  const texts = KEYS_TEXTS[language]
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
          <span class={active ? 'tag good' : 'tag bad'}>
            {active ? texts.stateActive : texts.stateRevoked}
          </span>
        </span>
      </div>
      <dl class="key-facts">
        <Fact name={texts.secret}>
          <code>{apiKey.hint}</code>
        </Fact>
        <Fact name={texts.calls}>{texts.callsOf(number(calls?.month), number(calls?.day))}</Fact>
        <Fact name={texts.lastUsed}>
          <Moment language={language} at={apiKey.last_used_at} />
        </Fact>
        <Fact name={texts.created}>
          <Moment language={language} at={apiKey.created_at} />
        </Fact>
        {apiKey.rotated_at !== null && (
          <Fact name={texts.rotated}>
            <Moment language={language} at={apiKey.rotated_at} />
          </Fact>
        )}
        {apiKey.revoked_at !== null && (
          <Fact name={texts.revokedAt}>
            <Moment language={language} at={apiKey.revoked_at} />
          </Fact>
        )}
      </dl>
      <Actions language={language} apiKey={apiKey} ask={ask} />
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const ACTIVE_VERBS = ['rename', 'rotate', 'revoke'] as const
const REVOKED_VERBS = ['rename', 'remove'] as const

function Actions({ language, apiKey, ask }: Pick<KeyCardOptions, 'language' | 'apiKey' | 'ask'>) {
  const texts = KEYS_TEXTS[language]
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
