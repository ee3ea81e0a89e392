/** What people say of themselves. E-mail address and password have verbs of their own. */

import { eq } from 'drizzle-orm'
import { users } from '../db/accounts-schema.ts'
import type { AccountService } from './account-service.ts'
import type { ProfileRequest } from './requests.ts'
import type { FoundSession } from './sessions.ts'
import { requireUser, toUser, type User } from './user.ts'

/** Changes the fields given and leaves the others as they are; null empties a field. */
export function changeProfile(
  service: AccountService,
  { userId }: FoundSession,
  request: ProfileRequest,
): User {
  return service.db.transaction(
    (tx) => {
      const before = requireUser(tx, userId)
      const { full_name: fullName = before.fullName, organization = before.organization } = request
      const { language = before.language } = request
      tx.update(users).set({ fullName, organization, language }).where(eq(users.id, userId)).run()
      return toUser({ ...before, fullName, organization, language })
    },
    { behavior: 'immediate' },
  )
}
