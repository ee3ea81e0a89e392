/** @jsxImportSource preact */

/** Profile, e-mail address, data export and deletion of the account. */

import { useState } from 'preact/hooks'
import type { User } from '../../accounts/people/user.ts'
import { change, type Me, whoAmINow } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Choice, Field, Form, UserName } from '../signed-in/form.tsx'
import { useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { missing } from '../signed-in/refusals.ts'
import { StatusLine, useQuestion, useStatus } from '../signed-in/status.tsx'
import { PROFILE_TEXTS } from '../texts/account-console.ts'
import { PersonFields } from './person-fields.tsx'
import { type AccountFacts, accountLink, CONSOLE_PATHS, type ConsoleFacts, ENTRY_PATHS } from './places.ts'

export function Profile({ facts }: { facts: ConsoleFacts }) {
  const texts = useTexts(PROFILE_TEXTS)
  const status = useStatus()
  const loaded = useLoaded(whoAmINow)
  useReturn(loaded.reload)
  const saved = () => {
    status.say(texts.saved)
    void loaded.reload()
  }
  return (
    <>
      <StatusLine status={status} />
      <WhenLoaded loaded={loaded}>
        {(me) => (
          <>
            <ProfileForm facts={facts} me={me} onSaved={saved} />
            <Email facts={facts} me={me} />
          </>
        )}
      </WhenLoaded>
      <Data />
      <Deletion facts={facts} />
    </>
  )
}

function ProfileForm({ facts, me: { user }, onSaved }: { facts: AccountFacts; me: Me; onSaved: () => void }) {
  const texts = useTexts(PROFILE_TEXTS)
  return (
    <section class="card narrow" aria-labelledby="about-title">
      <h2 id="about-title">{texts.about}</h2>
      <Form
        id="profile"
        submit={texts.save}
        send={async ({ full_name = '', organization = '', language = '' }) => {
          const now = await change<User>('PATCH', '/account/api/me', { full_name, organization, language })
          // The page is in the old language: it is loaded again, without a language chosen by hand.
          if (now.language !== facts.language) return location.assign(CONSOLE_PATHS.profile)
          onSaved()
        }}
      >
        <PersonFields user={user} />
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

function Email({ facts: { sendsMail }, me: { user } }: { facts: AccountFacts; me: Me }) {
  const texts = useTexts(PROFILE_TEXTS)
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
          {texts.member} <Moment at={user.created_at} />
        </span>
      </p>
      {!user.email_verified && (
        <>
          <p class="soft">{sendsMail ? texts.unverifiedText : texts.unverifiedWithoutMail}</p>
          <div role="status">
            {sent && <p class="note good">{sendsMail ? texts.resent : texts.renewed}</p>}
          </div>
          <Form
            id="resend"
            submit={sendsMail ? texts.resend : texts.renew}
            tone="quiet"
            send={async () => {
              await change('POST', '/account/api/email/resend-verification')
              setSent(true)
            }}
          />
        </>
      )}
    </section>
  )
}

function Data() {
  const texts = useTexts(PROFILE_TEXTS)
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
  const texts = useTexts(PROFILE_TEXTS)
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
          title={texts.removeTitle}
          text={texts.removeDialog}
          submit={texts.removeConfirm}
          tone="danger"
          check={(values) => missing(facts.language, values, ['password'])}
          onClose={question.close}
          send={async ({ password }) => {
            await change('DELETE', '/account/api/me', { password })
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
