/** @jsxImportSource preact */
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'

/** The field of plain forms that holds the session's token. */
export const TOKEN_FIELD = 'csrf_token'

/** The proof that a form comes from one of the session's pages. */
export function SessionToken({ csrfToken }: Pick<FoundSession, 'csrfToken'>) {
  return <input type="hidden" name={TOKEN_FIELD} value={csrfToken} />
}
