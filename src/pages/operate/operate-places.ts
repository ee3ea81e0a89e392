/** The paths of the operators' desk, and the data that its pages are made from. */

import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { ApiError } from '../../base/errors.ts'
import type { View } from '../layout/view.ts'

export const OPERATE_PATHS = {
  overview: '/operate',
  accounts: '/operate/accounts',
  account: '/operate/accounts/:account',
  keys: '/operate/keys',
  plans: '/operate/plans',
  datasets: '/operate/datasets',
  backups: '/operate/backups',
  settings: '/operate/settings',
  audit: '/operate/audit',
  logs: '/operate/logs',
} as const

export type OperateSection = keyof typeof OPERATE_PATHS

/** The field with a form's operation, and the parameter that says what was done. */
export const FORM_FIELDS = { operation: 'operation', done: 'done' } as const

/** A form that was sent, and its result. */
export interface Sent {
  readonly operation: string
  readonly fields: URLSearchParams
  readonly refusal: ApiError | null
  /** What is shown only once. */
  readonly answer: { readonly secret?: string; readonly password_link?: string | null }
}

export interface Desk {
  readonly section: OperateSection
  readonly view: View
  readonly session: FoundSession
  readonly params: Readonly<Record<string, string>>
  readonly sent: Sent | null
  /**
   * Returns the answer of `/operate/api`.
   * @param operation the operation's id in the description @param parameters empty ones are omitted
   * @throws ApiError as the call
   */
  read<T>(operation: string, parameters?: Readonly<Record<string, string | undefined>>): Promise<T>
}

/** The values of these parameters in the page's address. */
export function given<Name extends string>(desk: Desk, names: readonly Name[]): Record<Name, string> {
  const value = (name: Name) => desk.view.parameters.find((one) => one.name === name)?.value ?? ''
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, string>
}
