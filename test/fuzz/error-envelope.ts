/** What is wrong with the body of a refusal (specification 2.4). */

import { ERROR_CODES, ERROR_STATUS } from '../../src/base/error-codes.ts'

/**
 * @param statuses that a code may have besides its usual one
 * @returns null when nothing is wrong
 */
export function faultOfError(
  status: number,
  body: unknown,
  statuses: Readonly<Record<string, number>> = {},
): string | null {
  if (isOfCkan(body)) return faultOfCkan(status, body)
  if (isOfMcp(body)) {
    const { data, message } = body.error
    // Without data the protocol itself refuses the message.
    return data === undefined
      ? null
      : faultOfError(status, { error: { code: data.code, message, ...detailOf(data) } }, statuses)
  }
  const { error, ...others } = Object(body) as {
    error?: { code: string; message: string; detail?: unknown }
  }
  if (error === undefined || Object.keys(others).length > 0) return 'no error envelope'
  if (!/^code,message(,detail)?$/.test(Object.keys(error).join())) return 'an error with other members'
  const known = ERROR_CODES.find((code) => code === error.code)
  if (known === undefined) return 'an unknown error code'
  if (ERROR_STATUS[known] !== status && statuses[known] !== status)
    return `the code ${known} with another status`
  if (status === 422 && !Array.isArray(error.detail)) return 'a 422 that does not say where'
  return error.message === '' ? 'an empty message' : null
}

interface CkanBody {
  readonly help: unknown
  readonly success: false
  readonly error: { readonly __type?: unknown }
}

function isOfCkan(body: unknown): body is CkanBody {
  return Object(body).success === false
}

/** The fault of an error of the CKAN API (contract 9). */
function faultOfCkan(status: number, { help, error }: CkanBody): string | null {
  if (![400, 403, 404, 405, 408, 409, 413, 429].includes(status)) return 'a status that CKAN does not use'
  if (typeof help !== 'string' || typeof error.__type !== 'string') return 'not an error of CKAN'
  return null
}

interface McpBody {
  readonly jsonrpc: '2.0'
  readonly error: {
    readonly message: string
    readonly data?: { readonly code: string; readonly detail?: unknown }
  }
}

function isOfMcp(body: unknown): body is McpBody {
  return Object(body).jsonrpc === '2.0'
}

function detailOf({ detail }: { readonly detail?: unknown }) {
  return detail === undefined ? {} : { detail }
}
