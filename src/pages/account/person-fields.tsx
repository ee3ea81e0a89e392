/** @jsxImportSource preact */

import type { User } from '../../accounts/people/user.ts'
import { Field } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'

/** The optional fields about the owner of an account. */
export function PersonFields({ user }: { user?: Pick<User, 'full_name' | 'organization'> }) {
  const texts = useTexts(ACCOUNT_TEXTS)
  const fields = [
    { name: 'full_name', label: texts.fullName, autoComplete: 'name' },
    { name: 'organization', label: texts.organization, autoComplete: 'organization' },
  ] as const
  return (
    <>
      {fields.map((field) => (
        <Field key={field.name} {...field} value={user?.[field.name] ?? ''} maxLength={200} optional />
      ))}
    </>
  )
}
