/** @jsxImportSource preact */
/** The accounts, and what an operator can do with one of them. */

import type { ComponentChildren } from 'preact'
import type { Plan } from '../../accounts/keys/plans.ts'
import { type pageAccounts, requireAccount, type showAccount } from '../../accounts/people/operator.ts'
import { ROLES, type User } from '../../accounts/people/user.ts'
import { Fact } from '../parts/fact.tsx'
import { Table } from '../parts/table.tsx'
import { Password } from '../signed-in/fields.tsx'
import { Choice, Field } from '../signed-in/form.tsx'
import { Moment } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { planName } from '../texts/parts.ts'
import { type Desk, given, OPERATE_PATHS } from './operate-places.ts'
import { OperationForm, valuesIn } from './operation-form.tsx'
import { ListFilter, PagesOfList } from './pages-of-list.tsx'
import { ACCOUNTS_TEXTS, ROLE_TEXTS } from './texts/operate-texts.ts'

export async function showAccounts(desk: Desk) {
  const { link, language } = desk.view
  const texts = ACCOUNTS_TEXTS[language]
  const asked = given(desk, ['q', 'limit', 'offset'])
  const { data, pagination } = await desk.read<Awaited<ReturnType<typeof pageAccounts>>>(
    'listAccounts',
    asked,
  )
  const typed = valuesIn(desk, 'createAccount', {}, { email: '', language: String(language) })
  return (
    <>
      <ListFilter desk={desk} label={texts.search}>
        <Field name="q" label={texts.search} value={asked.q} maxLength={200} optional autoComplete="off" />
      </ListFilter>
      {data.length > 0 && (
        <Table
          label={texts.list}
          head={[texts.email, [texts.number], texts.role, texts.plan, texts.verified, texts.created]}
          hasRowHeads
          rows={data.map((user) => [
            <a key="email" href={link(`${OPERATE_PATHS.accounts}/${user.id}`)}>
              {user.email}
            </a>,
            user.id,
            <Role key="role" user={user} />,
            planName(language, user.plan),
            user.email_verified ? texts.yes : texts.no,
            <Moment key="created" at={user.created_at} />,
          ])}
        />
      )}
      <PagesOfList desk={desk} pagination={pagination} />
      <Section id="create-title" class="card narrow" title={texts.create} text={texts.createText}>
        <OperationForm desk={desk} operation="createAccount" submit={texts.createButton} tone="main">
          <Field name="email" type="email" label={texts.email} value={typed.email} autoComplete="off" />
          <Choice
            name="language"
            label={texts.language}
            value={typed.language}
            choices={[
              ['ro', 'Română'],
              ['en', 'English'],
            ]}
          />
        </OperationForm>
      </Section>
    </>
  )
}

function Role({ user: { role, publisher_domains: domains } }: { user: User }) {
  const texts = useTexts(ROLE_TEXTS)
  if (role !== 'publisher' || domains === null) return <>{texts[role]}</>
  return (
    <>
      {texts[role]}: <code>{domains.join(', ')}</code>
    </>
  )
}

type Account = Awaited<ReturnType<typeof showAccount>>

export async function showAccountPage(desk: Desk) {
  const { accounts } = desk.view.app
  const [account, plans, { passwordHash }, mine] = await Promise.all([
    desk.read<Account>('showAccount'),
    desk.read<readonly Plan[]>('listPlans'),
    requireAccount(accounts, Number(desk.params.account)),
    requireAccount(accounts, desk.session.userId),
  ])
  const lacksPassword = mine.passwordHash === null
  const proven = { desk, isProven: true, lacksPassword }
  const { email, email_verified: isVerified, second_factor: hasSecondFactor } = account
  const texts = ACCOUNTS_TEXTS[desk.view.language]
  const plan = valuesIn(desk, 'setAccountPlan', {}, { plan: account.plan }).plan
  return (
    <>
      <h2>{email}</h2>
      <AccountFacts account={account} desk={desk} />
      <div class="grid">
        <RoleForm {...{ desk, account, lacksPassword }} />
        <Act desk={desk} operation="setAccountPlan" title={texts.planTitle} text={texts.planText}>
          <Choice
            name="plan"
            label={texts.plan}
            value={plan}
            choices={plans.map(({ name }) => [name, planName(desk.view.language, name)])}
          />
        </Act>
        {!isVerified && (
          <Act desk={desk} operation="verifyAccount" title={texts.verify} text={texts.verifyText} />
        )}
        {passwordHash === null && (
          <Act
            {...proven}
            isProven={account.role === 'operator' && account.id !== mine.id}
            operation="inviteAccount"
            title={texts.invite}
            text={texts.inviteText}
          />
        )}
        <Act desk={desk} operation="signOutAccount" title={texts.signOut} text={texts.signOutText} />
        {hasSecondFactor && (
          <Act {...proven} operation="resetSecondFactor" title={texts.reset} text={texts.resetText} />
        )}
        <Act {...proven} operation="removeAccount" title={texts.remove} text={texts.removeText} />
      </div>
    </>
  )
}

function AccountFacts({ account, desk: { view } }: { account: Account; desk: Desk }) {
  const texts = useTexts(ACCOUNTS_TEXTS)
  const language = useLanguage()
  const audit = view.link(OPERATE_PATHS.audit, [{ name: 'user_id', value: String(account.id) }])
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [texts.number, account.id],
    [texts.name, account.full_name],
    [texts.organization, account.organization],
    [texts.role, <Role key="role" user={account} />],
    [texts.plan, planName(language, account.plan)],
    [texts.verified, account.email_verified ? texts.yes : texts.no],
    [texts.secondFactor, account.second_factor ? texts.yes : texts.no],
    [texts.activeKeys, account.active_keys],
    [texts.sessions, account.sessions],
    [texts.created, <Moment key="created" at={account.created_at} />],
    [texts.lastSignIn, <Moment key="sign-in" at={account.last_sign_in_at} />],
  ]
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => value !== null && <Fact name={name}>{value}</Fact>)}
      </dl>
      <p>
        <a href={audit}>{texts.history}</a>
      </p>
    </>
  )
}

function RoleForm({ desk, account, ...proof }: { desk: Desk; account: Account; lacksPassword: boolean }) {
  const texts = useTexts(ACCOUNTS_TEXTS)
  const roles = useTexts(ROLE_TEXTS)
  const now = { role: account.role as string, publisher_domains: account.publisher_domains?.join(', ') ?? '' }
  const typed = valuesIn(desk, 'setRole', {}, now)
  return (
    <Act desk={desk} operation="setRole" title={texts.roleTitle} text={texts.roleText} isProven {...proof}>
      <Choice
        name="role"
        label={texts.role}
        value={typed.role}
        choices={ROLES.map((role) => [role, roles[role]])}
      />
      <Field
        name="publisher_domains"
        label={texts.domains}
        hint={texts.domainsHint}
        value={typed.publisher_domains}
        autoComplete="off"
        optional
      />
    </Act>
  )
}

interface ActOptions {
  readonly desk: Desk
  readonly operation: string
  readonly title: string
  readonly text: string
  /** Whether the operator's password is required. */
  readonly isProven?: boolean
  /** Whether the operator has no password yet. */
  readonly lacksPassword?: boolean
  readonly children?: ComponentChildren
}

/** One action on an account. */
function Act({ desk, operation, title, text, isProven = false, lacksPassword, children }: ActOptions) {
  const texts = useTexts(ACCOUNTS_TEXTS)
  const mine = desk.view.link(`${OPERATE_PATHS.accounts}/${desk.session.userId}#inviteAccount-title`)
  if (isProven && lacksPassword)
    return (
      <Section id={`${operation}-title`} class="card" title={title} text={text}>
        <p>
          {texts.noPassword} <a href={mine}>{texts.setPassword}</a>.
        </p>
      </Section>
    )
  const isEnd = operation === 'removeAccount' || operation === 'resetSecondFactor'
  return (
    <Section id={`${operation}-title`} class="card" title={title} text={text}>
      <OperationForm desk={desk} operation={operation} submit={title} {...(isEnd && { tone: 'danger' })}>
        {children}
        {isProven && <Password of={desk.session.body.user.email} label={texts.password} />}
      </OperationForm>
    </Section>
  )
}
