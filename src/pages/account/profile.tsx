/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { User } from '../../accounts/people/user.ts'
import { LANGUAGES } from '../../base/text/language.ts'
import { change, type Me, whoAmINow } from '../signed-in/api.ts'
import { AskButton } from '../signed-in/dialog.tsx'
import { Fields, Password } from '../signed-in/fields.tsx'
import { Choice, Form } from '../signed-in/form.tsx'
import { useLoaded, useReturn, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { StatusLine, useStatus } from '../signed-in/status.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { PROFILE_TEXTS } from '../texts/account-console.ts'
import { planName } from '../texts/parts.ts'
import {
  type AccountFacts,
  accountLink,
  CONSOLE_PATHS,
  type ConsoleFacts,
  ENTRY_PATHS,
  PERSON_FIELDS,
} from './account-places.ts'

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
      <Section id="data-title" title={texts.data} text={texts.dataText}>
        <p>
          <a class="button" href="/account/api/export" download>
            {texts.download}
          </a>
        </p>
      </Section>
      <Section id="remove-title" title={texts.remove} text={texts.removeText}>
        <AskButton
          id="remove"
          label={texts.removeButton}
          class="danger"
          title={texts.removeTitle}
          text={texts.removeDialog}
          submit={texts.removeConfirm}
          tone="danger"
          send={async ({ password }) => {
            await change('DELETE', '/account/api/me', { password })
            return () => location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'deleted' }))
          }}
        >
          <Password of={facts.email} label={texts.password} />
        </AskButton>
      </Section>
    </>
  )
}

function ProfileForm({ facts, me: { user }, onSaved }: { facts: AccountFacts; me: Me; onSaved: () => void }) {
  const texts = useTexts(PROFILE_TEXTS)
  return (
    <Section class="card narrow" id="about-title" title={texts.about}>
      <Form
        id="profile"
        submit={texts.save}
        send={async ({ full_name = '', organization = '', language = '' }) => {
          const now = await change<User>('PATCH', '/account/api/me', { full_name, organization, language })
          // The page is in the old language, so load it again, without a language chosen on the page.
          if (now.language !== facts.language) return location.assign(CONSOLE_PATHS.profile)
          onSaved()
        }}
      >
        <Fields texts={useTexts(ACCOUNT_TEXTS)} values={user} rows={PERSON_FIELDS} />
        <Choice
          name="language"
          label={texts.language}
          value={user.language}
          choices={LANGUAGES.map((language) => [language, texts[language]] as const)}
        />
      </Form>
    </Section>
  )
}

function Email({ facts: { sendsMail }, me: { user } }: { facts: AccountFacts; me: Me }) {
  const texts = useTexts(PROFILE_TEXTS)
  const [sent, setSent] = useState(false)
  return (
    <Section id="email-title" title={texts.email}>
      <p>
        <strong>{user.email}</strong>{' '}
        <span class={user.email_verified ? 'tag good' : 'tag warn'}>
          {user.email_verified ? texts.verified : texts.unverified}
        </span>
      </p>
      <p class="meta">
        <span>
          {texts.plan} <strong>{planName(useLanguage(), user.plan)}</strong>
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
            tone="small"
            send={async () => {
              await change('POST', '/account/api/email/resend-verification')
              setSent(true)
            }}
          />
        </>
      )}
    </Section>
  )
}
