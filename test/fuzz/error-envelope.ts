/** What is wrong with the body of a refusal (specification 2.4). */

import { ERROR_CODES, ERROR_TABLE } from '../../src/base/error-codes.ts'

/**
 * @param statuses that a code may have beside its own
 * @returns null when nothing is wrong
 */
export function faultOfError(
  status: number,
  body: unknown,
  statuses: Readonly<Record<string, number>> = {},
): string | null {
  const { error, ...others } = Object(body) as {
    error?: { code: string; message: string; detail?: unknown }
  }
  if (error === undefined || Object.keys(others).length > 0) return 'no error envelope'
  if (!/^code,message(,detail)?$/.test(Object.keys(error).join())) return 'an error of other members'
  const known = ERROR_CODES.find((code) => code === error.code)
  if (known === undefined) return 'an unknown error code'
  if (ERROR_TABLE[known].status !== status && statuses[known] !== status)
    return `the code ${known} with another status`
  if (status === 422 && !Array.isArray(error.detail)) return 'a 422 that does not say where'
  return error.message === '' ? 'an empty message' : null
}
