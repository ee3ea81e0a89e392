/** The Model Context Protocol over streamable HTTP, without sessions (contract 9). */

import { t } from 'elysia'
import type { Route } from '../declaration/route.ts'
import { answerLimit, answerMessage } from '../mcp/mcp-answer.ts'
import { MCP_PATH } from '../mcp/mcp-error.ts'

const MESSAGE = t.Object({}, { additionalProperties: true })

export const MCP_ROUTES: readonly Route[] = [
  {
    ...{ method: 'POST', path: MCP_PATH, access: 'mcp' },
    described: {
      id: 'callTool',
      tag: 'Interoperability',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'Streamable HTTP without sessions, for assistants: five tools read the catalog, rows, groups and facets. Refusals of a tool are results of it.',
      body: MESSAGE,
      bodyExample: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      answers: {
        200: { says: 'The answer of JSON-RPC.', types: ['application/json', 'text/event-stream'] },
        202: { says: 'A notification was taken.' },
        400: { says: 'No message of the protocol, as JSON-RPC says it.', types: ['application/json'] },
      },
      errors: ['invalid_body', 'request_timeout'],
    },
    handle: ({ app, state, exchange }) => answerMessage(app, state, exchange),
    refuse: ({ exchange }, error) => answerLimit(exchange, error),
  },
]
