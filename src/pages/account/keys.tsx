/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import type { UsageSummary } from '../../accounts/usage/summary.ts'
import { BoxedFact } from '../parts/fact.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import { change, read, whoAmINow } from '../signed-in/api.ts'
import { Field, Form } from '../signed-in/form.tsx'
import { useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section, SmallButton } from '../signed-in/section.tsx'
import { StatusLine, useFocusLater, useQuestion, useStatus } from '../signed-in/status.tsx'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { planName } from '../texts/parts.ts'
import { formatNumber } from '../texts/texts.ts'
import type { ConsoleFacts } from './account-places.ts'
import { SecretPanel } from './copying.tsx'
import {
  changedTerms,
  KeyDialog,
  type KeyDone,
  type KeyQuestion,
  type KeyVerb,
  TermFields,
} from './key-dialogs.tsx'

type KeysData = Awaited<ReturnType<typeof loadKeysData>>

async function loadKeysData() {
  const [me, keys, summary] = await Promise.all([
    whoAmINow(),
    read<Key[]>('/account/api/keys'),
    read<UsageSummary>('/account/api/usage/summary'),
  ])
  return { me, keys, summary }
}

export function Keys({ facts }: { facts: ConsoleFacts }) {
  const loaded = useLoaded(loadKeysData)
  const status = useStatus()
  const focusLater = useFocusLater()
  const [secrets, setSecrets] = useState<readonly KeyWithSecret[]>([])
  const question = useQuestion<KeyQuestion>()
  useReturn(loaded.reload)

  const done: KeyDone = (text, fresh, focusOn) => {
    if (fresh.length > 0) setSecrets(fresh)
    void loaded.reload().then(() => {
      status.say(text)
      if (focusOn !== undefined) focusLater(focusOn)
    })
  }

  return (
    <>
      <StatusLine status={status} />
      {secrets.length > 0 && (
        <SecretPanel
          facts={facts}
          keys={secrets}
          onDone={() => {
            setSecrets([])
            status.say('')
            focusLater('key-list')
          }}
        />
      )}
      <WhenLoaded loaded={loaded}>
        {(data) => (
          <>
            <Summary facts={facts} data={data} />
            <MintForm facts={facts} onMinted={(key) => done('', [key])} />
            <List data={data} ask={question.ask} />
          </>
        )}
      </WhenLoaded>
      {question.open && (
        <KeyDialog facts={facts} question={question.open} onClose={question.close} onDone={done} />
      )}
    </>
  )
}

function Summary({ facts, data: { me, keys, summary } }: { facts: ConsoleFacts; data: KeysData }) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  const { plan, total } = summary
  const active = keys.filter(({ state }) => state === 'active').length
  const number = (value: number) => formatNumber(language, value)
  const used = plan.monthly_quota === null ? total.month : plan.monthly_quota - (total.remaining ?? 0)
  return (
    <>
      {!me.user.email_verified && (
        <p class="note">
          {facts.sendsMail ? texts.verifyFirst(me.user.email) : texts.verifyWithoutMail(me.user.email)}
        </p>
      )}
      <p class="meta" id="quota">
        <span>
          {texts.plan} <strong>{planName(language, plan.name)}</strong>
        </span>
        <span>
          {plan.monthly_quota === null
            ? texts.usedUnlimited(used)
            : texts.used(number(used), plan.monthly_quota)}{' '}
          {plan.monthly_quota !== null && <ShareBar share={used / Math.max(1, plan.monthly_quota)} />}
        </span>
        <span>{texts.active(active, plan.max_active_keys)}</span>
      </p>
    </>
  )
}

function MintForm({ facts, onMinted }: { facts: ConsoleFacts; onMinted: (key: KeyWithSecret) => void }) {
  const texts = useTexts(KEYS_TEXTS)
  const [minted, count] = useState(0)
  return (
    <Section class="card" id="mint-title" title={texts.newKey}>
      <Form
        id="mint"
        submit={texts.mint}
        send={async (values, form) => {
          const body = { label: values.label, ...changedTerms(values) }
          onMinted(await change<KeyWithSecret>('POST', '/account/api/keys', body))
          form.reset()
          count(minted + 1)
        }}
      >
        <Field name="label" label={texts.label} hint={texts.labelHint} autoComplete="off" maxLength={100} />
        <details>
          <summary>{texts.more}</summary>
          <TermFields key={minted} facts={facts} />
        </details>
      </Form>
    </Section>
  )
}

function List({ data: { keys, summary }, ask }: { data: KeysData; ask: KeyCardOptions['ask'] }) {
  const texts = useTexts(KEYS_TEXTS)
  const active = keys.filter(({ state }) => state === 'active').length
  return (
    <section aria-labelledby="key-list">
      <div class="row spread">
        <h2 id="key-list" tabIndex={-1}>
          {texts.list}
        </h2>
        {active > 1 && (
          <SmallButton onPress={() => ask({ verb: 'rotate-all', count: active })}>
            {texts.rotateAll}
          </SmallButton>
        )}
      </div>
      {keys.length === 0 && <p class="soft">{texts.none}</p>}
      {keys.length > 0 && (
        <ul class="keys bare">
          {keys.map((key) => (
            <KeyCard
              key={key.key_id}
              apiKey={key}
              accountPlan={summary.plan.name}
              calls={summary.keys.find(({ key_id }) => key_id === key.key_id)}
              ask={ask}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface KeyCardOptions {
  readonly apiKey: Key
  /** A key minted by the operator may have another plan. */
  readonly accountPlan: string
  readonly calls: UsageSummary['keys'][number] | undefined
  readonly ask: (question: KeyQuestion) => void
}

function KeyCard({ apiKey, accountPlan, calls, ask }: KeyCardOptions) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  const active = apiKey.state === 'active'
  const number = (value: number | undefined) => formatNumber(language, value ?? 0)
  const callCounts = texts.callsOf(number(calls?.month), number(calls?.day))
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
      <KeyFacts apiKey={apiKey} more={[[texts.calls, callCounts]]} />
      <Actions apiKey={apiKey} ask={ask} />
    </li>
  )
}

type NamedFact = readonly [name: string, value: ComponentChildren]

/** The facts of a key. @param more facts that the page adds */
export function KeyFacts({ apiKey, more }: { apiKey: Key; more: readonly NamedFact[] }) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  const moment = (at: string | null) => at && <Moment at={at} />
  const scopes = apiKey.scopes.join(', ')
  const quota = apiKey.monthly_quota
  const facts: readonly NamedFact[] = [
    [texts.secret, <code key="hint">{apiKey.hint}</code>],
    ...more,
    [texts.lastUsed, <Moment key="used" at={apiKey.last_used_at} />],
    [texts.created, moment(apiKey.created_at)],
    [texts.scopes, scopes === 'read' ? null : <code key="scopes">{scopes}</code>],
    [texts.quota, quota === null ? null : formatNumber(language, quota)],
    [texts.expires, moment(apiKey.expires_at)],
    [texts.rotated, moment(apiKey.rotated_at)],
    [texts.revokedAt, moment(apiKey.revoked_at)],
  ]
  return (
    <dl class="small flow">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <BoxedFact key={name} name={name}>
              {value}
            </BoxedFact>
          ),
      )}
    </dl>
  )
}

export function StateTag({ apiKey: { state, expires_at } }: { apiKey: Key }) {
  const texts = useTexts(KEYS_TEXTS)
  if (state === 'revoked') return <span class="tag bad">{texts.stateRevoked}</span>
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  if (isExpired) return <span class="tag bad">{texts.stateExpired}</span>
  return <span class="tag good">{texts.stateActive}</span>
}

function Actions({ apiKey, ask }: Pick<KeyCardOptions, 'apiKey' | 'ask'>) {
  const texts = useTexts(KEYS_TEXTS)
  const verbs: readonly KeyVerb[] =
    apiKey.state === 'active' ? ['rename', 'rotate', 'revoke'] : ['rename', 'remove']
  return (
    <div class="row">
      {verbs.map((verb) => (
        <SmallButton
          key={verb}
          about={texts.actionOf(texts[verb], apiKey.label)}
          isDangerous={verb === 'revoke' || verb === 'remove'}
          onPress={() => ask({ verb, key: apiKey })}
        >
          {texts[verb]}
        </SmallButton>
      ))}
    </div>
  )
}
