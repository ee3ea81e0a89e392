/** @jsxImportSource preact */

/** What people say of themselves, their address, their data, and the end of it all. */

import { useState } from 'preact/hooks'
import type { User } from '../../accounts/user.ts'
import { PROFILE_TEXTS } from '../texts/account-profile.ts'
import { change, type Me, whoAmINow } from './api.ts'
import { Dialog } from './dialog.tsx'
import { Choice, Field, Form, UserName } from './form.tsx'
import { useLoaded, useReturn, WhenLoaded } from './loading.tsx'
import { Moment } from './moment.tsx'
import { type AccountFacts, accountLink, CONSOLE_PATHS, type ConsoleFacts, ENTRY_PATHS } from './places.ts'
import { missing } from './refusals.ts'
import { StatusLine, useQuestion, useStatus } from './status.tsx'

export function Profile({ facts }: { facts: ConsoleFacts }) {
  const { language } = facts
  const status = useStatus()
  const loaded = useLoaded(whoAmINow)
  useReturn(loaded.reload)
  const saved = () => {
    status.say(PROFILE_TEXTS[language].saved)
    void loaded.reload()
  }
  return (
    <>
      <StatusLine status={status} />
      <WhenLoaded language={language} loaded={loaded}>
        {(me) => (
          <>
            <ProfileForm facts={facts} me={me} onSaved={saved} />
            <Email facts={facts} me={me} />
          </>
        )}
      </WhenLoaded>
      <Data facts={facts} />
      <Deletion facts={facts} />
    </>
  )
}

function ProfileForm({ facts, me: { user }, onSaved }: { facts: AccountFacts; me: Me; onSaved: () => void }) {
  const texts = PROFILE_TEXTS[facts.language]
  return (
    <section class="card narrow" aria-labelledby="about-title">
      <h2 id="about-title">{texts.about}</h2>
      <Form
        id="profile"
        language={facts.language}
        submit={texts.save}
        send={async ({ full_name = '', organization = '', language = '' }) => {
          const now = await change<User>('PATCH', '/me', { full_name, organization, language })
          // Every text of the page is in the old language; one chosen by hand goes with it.
          if (now.language !== facts.language) return location.assign(CONSOLE_PATHS.profile)
          onSaved()
        }}
      >
        <Field
          name="full_name"
          label={texts.fullName}
          value={user.full_name ?? ''}
          autoComplete="name"
          maxLength={200}
          optional
        />
        <Field
          name="organization"
          label={texts.organization}
          value={user.organization ?? ''}
          autoComplete="organization"
          maxLength={200}
          optional
        />
        <Choice
          name="language"
          label={texts.language}
          value={user.language}
          choices={[
            ['ro', texts.ro],
            ['en', texts.en],
          ]}
        />
      </Form>
    </section>
  )
}

function Email({ facts: { language }, me: { user } }: { facts: AccountFacts; me: Me }) {
  const texts = PROFILE_TEXTS[language]
  const [sent, setSent] = useState(false)
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">{texts.email}</h2>
      <p>
        <strong>{user.email}</strong>{' '}
        <span class={user.email_verified ? 'tag good' : 'tag warn'}>
          {user.email_verified ? texts.verified : texts.unverified}
        </span>
      </p>
      <p class="meta">
        <span>
          {texts.plan} <strong>{user.plan}</strong>
        </span>
        <span>
          {texts.member} <Moment language={language} at={user.created_at} />
        </span>
      </p>
      {!user.email_verified && (
        <>
          <p class="soft">{texts.unverifiedText}</p>
          <div role="status">{sent && <p class="note good">{texts.resent}</p>}</div>
          <Form
            id="resend"
            language={language}
            submit={texts.resend}
            tone="quiet"
            send={async () => {
              await change('POST', '/email/resend-verification')
              setSent(true)
            }}
          />
        </>
      )}
    </section>
  )
}

function Data({ facts: { language } }: { facts: AccountFacts }) {
  const texts = PROFILE_TEXTS[language]
  return (
    <section aria-labelledby="data-title">
      <h2 id="data-title">{texts.data}</h2>
      <p class="soft">{texts.dataText}</p>
      <p>
        <a class="button" href="/account/api/export" download>
          {texts.download}
        </a>
      </p>
    </section>
  )
}

function Deletion({ facts }: { facts: ConsoleFacts }) {
  const texts = PROFILE_TEXTS[facts.language]
  const question = useQuestion<'delete'>()
  return (
    <section aria-labelledby="remove-title">
      <h2 id="remove-title">{texts.remove}</h2>
      <p class="soft">{texts.removeText}</p>
      <button type="button" class="danger" onClick={() => question.ask('delete')}>
        {texts.removeButton}
      </button>
      {question.open && (
        <Dialog
          id="remove"
          language={facts.language}
          title={texts.removeTitle}
          text={texts.removeDialog}
          submit={texts.removeConfirm}
          tone="danger"
          check={(values) => missing(facts.language, values, ['password'])}
          onClose={question.close}
          send={async ({ password }) => {
            await change('DELETE', '/me', { password })
            return () => location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'deleted' }))
          }}
        >
          <UserName email={facts.email} />
          <Field name="password" type="password" label={texts.password} autoComplete="current-password" />
        </Dialog>
      )}
    </section>
  )
}
