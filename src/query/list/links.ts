/** The `links` of a list and the `Link` header (RFC 8288): ready-to-use addresses that repeat the request. */

import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'

/** The address of a list. */
export interface ListPlace {
  /** Absolute address of the service, without a trailing slash. */
  readonly base: string
  readonly path: string
}

/** The links of an answer: the member `links` as JSON, and the `Link` header, unless it would be too long. */
export interface WrittenLinks {
  readonly json: string
  readonly header: string | undefined
}

/** The value in the address of each link of a page; null if there is no such page. */
export interface LinkTargets {
  readonly next: string | number | null
  readonly prev?: number | null
  readonly first: string | number
  readonly last?: number | null
}

/** The parts around the target, for one address of the list. */
interface Frame extends ListPlace {
  readonly opening: string
  readonly closing: string
  /** The same as JSON. */
  readonly jsonOpening: string
  readonly jsonClosing: string
  readonly jsonSelf: string
  readonly jsonDocumentation: string
}

/** Makes addresses that differ in one parameter, which keeps its position or comes last. */
export class AddressTemplate {
  readonly #before: string
  readonly #after: string
  /** Cached for the last address, which rarely changes. */
  #frame: Frame | undefined

  constructor(parameters: readonly Parameter[], name: string) {
    const found = parameters.findIndex((parameter) => parameter.name === name)
    const at = found === -1 ? parameters.length : found
    const before = writeQueryString(parameters.slice(0, at))
    const after = writeQueryString(parameters.slice(at + 1))
    this.#before = `?${before}${before === '' ? '' : '&'}${name}=`
    this.#after = after === '' ? '' : `&${after}`
  }

  /** @param address absolute, without query @param value digits or a cursor, which need no encoding */
  with(address: string, value: string | number): string {
    return `${address}${this.#before}${value}${this.#after}`
  }

  /** The links of a page as JSON and as a header, joined from pieces: `JSON.stringify` took an eighth of a list's time. */
  write({ base, path }: ListPlace, { next, prev, first, last }: LinkTargets): WrittenLinks {
    const { opening, closing, jsonOpening, jsonClosing, jsonSelf, jsonDocumentation } = this.#frameOf(
      base,
      path,
    )
    let json = `{"self":${jsonSelf}`
    let header = ''
    const add = (relation: string, target: string | number | null | undefined) => {
      if (target === undefined) return
      json += target === null ? `,"${relation}":null` : `,"${relation}":${jsonOpening}${target}${jsonClosing}`
      if (target === null) return
      header += `${header === '' ? '<' : ', <'}${opening}${target}${closing}>; rel="${relation}"`
    }
    add('next', next)
    add('prev', prev)
    add('first', first)
    add('last', last)
    json += `,"documentation":${jsonDocumentation}}`
    return { json, header: header.length <= LONGEST_LINK_HEADER ? header : undefined }
  }

  #frameOf(base: string, path: string): Frame {
    if (this.#frame?.base === base && this.#frame.path === path) return this.#frame
    const opening = base + path + this.#before
    this.#frame = {
      base,
      path,
      opening,
      closing: this.#after,
      jsonOpening: JSON.stringify(opening).slice(0, -1),
      jsonClosing: JSON.stringify(this.#after).slice(1),
      jsonSelf: JSON.stringify(path),
      jsonDocumentation: JSON.stringify(`${base}/docs`),
    }
    return this.#frame
  }
}

/** The links of an answer that has no pages. */
export function writeFixedLinks({ base, path }: ListPlace): WrittenLinks {
  return { json: JSON.stringify({ self: path, documentation: `${base}/docs` }), header: undefined }
}

/** With a longer header some proxies refuse the whole answer (contract 2). */
const LONGEST_LINK_HEADER = 4096
