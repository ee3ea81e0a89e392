/** @jsxImportSource preact */

/** The list of keys with their usage; creating, renaming, rotating, revoking and deleting them. */

import { useEffect, useState } from 'preact/hooks'
import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import type { UsageSummary } from '../../accounts/usage/summary.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import { change, type Me, read, whoAmINow } from '../signed-in/api.ts'
import { Field, Form } from '../signed-in/form.tsx'
import { useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { missing } from '../signed-in/refusals.ts'
import { StatusLine, useFocusLater, useQuestion, useStatus } from '../signed-in/status.tsx'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { formatNumber } from '../texts/texts.ts'
import { useCopying } from './copying.tsx'
import { KeyCard } from './key-card.tsx'
import { KeyDialog, type KeyDone, type KeyQuestion } from './key-dialogs.tsx'
import { changedTerms, TermFields } from './key-terms.tsx'
import type { AccountFacts } from './places.ts'

interface Shelf {
  readonly me: Me
  readonly keys: readonly Key[]
  readonly summary: UsageSummary
}

async function loadShelf(): Promise<Shelf> {
  const [me, keys, summary] = await Promise.all([
    whoAmINow(),
    read<Key[]>('/account/api/keys'),
    read<UsageSummary>('/account/api/usage/summary'),
  ])
  return { me, keys, summary }
}

export function Keys({ facts }: { facts: AccountFacts }) {
  const loaded = useLoaded(loadShelf)
  const status = useStatus()
  const focusLater = useFocusLater()
  const [secrets, setSecrets] = useState<readonly KeyWithSecret[]>([])
  const question = useQuestion<KeyQuestion>()
  useReturn(loaded.reload)

  /** Shows the outcome of an action and moves the focus to the next step. */
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
        {(shelf) => (
          <>
            <Summary facts={facts} shelf={shelf} />
            <MintForm onMinted={(key) => done('', [key])} />
            <List shelf={shelf} ask={question.ask} />
          </>
        )}
      </WhenLoaded>
      {question.open && <KeyDialog question={question.open} onClose={question.close} onDone={done} />}
    </>
  )
}

function Summary({ facts, shelf: { me, keys, summary } }: { facts: AccountFacts; shelf: Shelf }) {
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
          {texts.plan} <strong>{plan.name}</strong>
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

function MintForm({ onMinted }: { onMinted: (key: KeyWithSecret) => void }) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  return (
    <section class="card" aria-labelledby="mint-title">
      <h2 id="mint-title">{texts.newKey}</h2>
      <Form
        id="mint"
        submit={texts.mint}
        check={(values) => missing(language, values, ['label', 'scopes'])}
        send={async (values, form) => {
          const body = { label: values.label, ...changedTerms(values) }
          onMinted(await change<KeyWithSecret>('POST', '/account/api/keys', body))
          form.reset()
        }}
      >
        <Field name="label" label={texts.label} hint={texts.labelHint} autoComplete="off" maxLength={100} />
        <details>
          <summary>{texts.more}</summary>
          <TermFields />
        </details>
      </Form>
    </section>
  )
}

function List({ shelf, ask }: { shelf: Shelf; ask: (question: KeyQuestion) => void }) {
  const { keys, summary } = shelf
  const texts = useTexts(KEYS_TEXTS)
  const active = keys.filter(({ state }) => state === 'active').length
  return (
    <section aria-labelledby="key-list">
      <div class="row spread">
        <h2 id="key-list" tabIndex={-1}>
          {texts.list}
        </h2>
        {active > 1 && (
          <button type="button" class="small" onClick={() => ask({ verb: 'rotate-all', count: active })}>
            {texts.rotateAll}
          </button>
        )}
      </div>
      {keys.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <ul class="keys">
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

/** New secrets, shown once, each with a copy button; a single one with a first request to try. */
interface SecretPanelOptions {
  readonly facts: AccountFacts
  readonly keys: readonly KeyWithSecret[]
  readonly onDone: () => void
}

function SecretPanel({ facts, keys, onDone }: SecretPanelOptions) {
  const { language, base } = facts
  const texts = useTexts(KEYS_TEXTS)
  const { box, said } = useCopying<HTMLElement>(keys)
  const single = keys.length === 1 ? keys[0] : undefined
  useEffect(() => box.current?.querySelector<HTMLElement>('h2')?.focus(), [keys])
  return (
    <section class="secret" ref={box} aria-labelledby="secret-title">
      <h2 id="secret-title" tabIndex={-1}>
        {single ? texts.secretTitle(single.label) : texts.secretsTitle}
      </h2>
      {said}
      <p>{single ? texts.secretOnce : texts.secretsOnce}</p>
      {keys.map((key) => (
        <div key={key.secret}>
          {!single && <h3>{key.label}</h3>}
          <CodeBox language={language} label={`${texts.secret}, ${key.label}`} text={key.secret} />
        </div>
      ))}
      {single && <p>{texts.tryIt}</p>}
      {single && (
        <CodeBox
          key={`curl ${single.secret}`}
          language={language}
          label={texts.curl}
          text={curlLine(base, single.secret)}
          id="curl"
        />
      )}
      <button type="button" onClick={onDone}>
        {texts.secretDone}
      </button>
    </section>
  )
}

/** The first request of `izvor demo` and of the guides: it works with any catalog. */
function curlLine(base: string, secret: string): string {
  return `curl -g -H "Authorization: Bearer ${secret}" "${base}/v1/datasets"`
}
