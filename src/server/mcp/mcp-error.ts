/** Refusals at `/mcp` as JSON-RPC 2.0 has them. */

import type { ErrorDescription } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { respondJson } from '../../http/respond.ts'

export const MCP_PATH = '/mcp'

export function speaksMcp({ path }: Exchange): boolean {
  return path === MCP_PATH
}

/** Of JSON-RPC 2.0, 5.1: no JSON; of the service. */
const PARSE_ERROR = -32700
const SERVER_ERROR = -32000

/** Answers with a refusal of the request as a whole: it has no id, for nothing of it was read. */
export function respondMcpError(exchange: Exchange, { status, headers, body }: ErrorDescription): Response {
  const { code, message, detail } = body.error
  const error = {
    code: code === 'invalid_body' ? PARSE_ERROR : SERVER_ERROR,
    message,
    data: { code, ...(detail && { detail }) },
  }
  return respondJson(exchange, status, headers, { jsonrpc: '2.0', error, id: null })
}
