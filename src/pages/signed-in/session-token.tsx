/** @jsxImportSource preact */
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'

/** The field of plain forms in which the session's token stands. */
export const TOKEN_FIELD = 'csrf_token'

/** The proof that a form comes from a page of the session's own. */
export function SessionToken({ csrfToken }: Pick<FoundSession, 'csrfToken'>) {
  return <input type="hidden" name={TOKEN_FIELD} value={csrfToken} />
}
