/** @jsxImportSource preact */

/** Keys: make one, see what they did, and rename, replace, revoke and delete them. */

import { useState } from 'preact/hooks'
import type { Key, KeyWithSecret } from '../../keys/key-rows.ts'
import type { UsageSummary } from '../../usage/summary.ts'
import { formatNumber } from '../parts/format.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { change, type Me, read, whoAmINow } from './api.ts'
import { Field, Form } from './form.tsx'
import { KeyCard } from './key-card.tsx'
import { KeyDialog, type KeyDone, type KeyQuestion } from './key-dialogs.tsx'
import { useLoaded, useReturn, WhenLoaded } from './loading.tsx'
import type { AccountFacts } from './places.ts'
import { missing } from './refusals.ts'
import { SecretPanel } from './secrets.tsx'
import { StatusLine, useFocusLater, useQuestion, useStatus } from './status.tsx'

interface Shelf {
  readonly me: Me
  readonly keys: readonly Key[]
  readonly summary: UsageSummary
}

async function loadShelf(): Promise<Shelf> {
  const [me, keys, summary] = await Promise.all([
    whoAmINow(),
    read<Key[]>('/keys'),
    read<UsageSummary>('/usage/summary'),
  ])
  return { me, keys, summary }
}

export function Keys({ facts }: { facts: AccountFacts }) {
  const { language } = facts
  const loaded = useLoaded(loadShelf)
  const status = useStatus()
  const focusLater = useFocusLater()
  const [secrets, setSecrets] = useState<readonly KeyWithSecret[]>([])
  const question = useQuestion<KeyQuestion>()
  useReturn(loaded.reload)

  /** What a verb did: said (new secrets speak for themselves), and the focus put where the next step is. */
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
      <WhenLoaded language={language} loaded={loaded}>
        {(shelf) => (
          <>
            <Summary facts={facts} shelf={shelf} />
            <MintForm facts={facts} onMinted={(key) => done('', [key])} />
            <List facts={facts} shelf={shelf} ask={question.ask} />
          </>
        )}
      </WhenLoaded>
      {question.open && (
        <KeyDialog language={language} question={question.open} onClose={question.close} onDone={done} />
      )}
    </>
  )
}

function textsOf({ language }: AccountFacts) {
  return KEYS_TEXTS[language]
}

function Summary({ facts, shelf: { me, keys, summary } }: { facts: AccountFacts; shelf: Shelf }) {
  const texts = textsOf(facts)
  const { plan, total } = summary
  const active = keys.filter(({ state }) => state === 'active').length
  const number = (value: number) => formatNumber(facts.language, value)
  const used = plan.monthly_quota === null ? total.month : plan.monthly_quota - (total.remaining ?? 0)
  return (
    <>
      {!me.user.email_verified && <p class="note">{texts.verifyFirst(me.user.email)}</p>}
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

function MintForm({ facts, onMinted }: { facts: AccountFacts; onMinted: (key: KeyWithSecret) => void }) {
  const texts = textsOf(facts)
  return (
    <section class="card" aria-labelledby="mint-title">
      <h2 id="mint-title">{texts.newKey}</h2>
      <Form
        id="mint"
        language={facts.language}
        submit={texts.mint}
        check={(values) => missing(facts.language, values, ['label'])}
        send={async ({ label }, form) => {
          onMinted(await change<KeyWithSecret>('POST', '/keys', { label }))
          form.reset()
        }}
      >
        <Field name="label" label={texts.label} hint={texts.labelHint} autoComplete="off" maxLength={100} />
      </Form>
    </section>
  )
}

function List({
  facts,
  shelf: { keys, summary },
  ask,
}: {
  facts: AccountFacts
  shelf: Shelf
  ask: (question: KeyQuestion) => void
}) {
  const texts = textsOf(facts)
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
              language={facts.language}
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
