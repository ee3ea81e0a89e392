/** `links` of a list and the `Link` header (RFC 8288): ready-to-request addresses that repeat what was asked. */

import { type Parameter, writeQueryString } from '../text/query-string.ts'

export interface Links {
  /** Path of the request. */
  readonly self: string
  readonly next: string | null
  readonly prev?: string | null
  readonly first: string
  readonly last?: string | null
  readonly documentation: string
}

/** Makes addresses that differ in one parameter, which keeps its place or comes last. */
export class AddressTemplate {
  readonly #before: string
  readonly #after: string

  constructor(parameters: readonly Parameter[], name: string) {
    const found = parameters.findIndex((parameter) => parameter.name === name)
    const at = found === -1 ? parameters.length : found
    const before = writeQueryString(parameters.slice(0, at))
    const after = writeQueryString(parameters.slice(at + 1))
    this.#before = `?${before}${before === '' ? '' : '&'}${name}=`
    this.#after = after === '' ? '' : `&${after}`
  }

  /** @param address absolute, without query @param value needs no encoding: digits, or a cursor */
  with(address: string, value: string | number): string {
    return `${address}${this.#before}${value}${this.#after}`
  }
}

/** Beyond it some proxies refuse the whole answer (contract 2). */
const LONGEST_LINK_HEADER = 4096

/** The `Link` header that repeats a list's links; undefined when it would be too long. */
export function linkHeader(links: Links): string | undefined {
  const parts: string[] = []
  for (const relation of ['next', 'prev', 'first', 'last'] as const) {
    const address = links[relation]
    if (address) parts.push(`<${address}>; rel="${relation}"`)
  }
  const header = parts.join(', ')
  return header.length <= LONGEST_LINK_HEADER ? header : undefined
}
