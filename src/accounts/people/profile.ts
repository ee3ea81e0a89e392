/** The profile of an account: name, organization, language. E-mail address and password have verbs of their own. */

import { eq } from 'drizzle-orm'
import type { Language } from '../../base/text/language.ts'
import { inTransaction } from '../../db/accounts.ts'
import { users } from '../../db/schema/accounts-schema.ts'
import type { AccountService } from './account-service.ts'
import type { FoundSession } from './sign-in/sessions.ts'
import { requireUser, toUser, type User } from './user.ts'

/** Changes the fields given and leaves the others as they are; null empties a field. */
export function changeProfile(
  service: AccountService,
  { userId }: FoundSession,
  request: {
    readonly full_name?: string | null
    readonly organization?: string | null
    readonly language?: Language
  },
): Promise<User> {
  return inTransaction(service.db, async (tx) => {
    const before = await requireUser(tx, userId)
    const { full_name: fullName = before.fullName, organization = before.organization } = request
    const { language = before.language } = request
    await tx.update(users).set({ fullName, organization, language }).where(eq(users.id, userId))
    return toUser({ ...before, fullName, organization, language })
  })
}
