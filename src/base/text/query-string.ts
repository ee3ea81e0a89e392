/** Query strings: reading them without losing repeated, empty or misspelt parameters, and writing them for links. */

/** One `name=value` of a query string, decoded, in the order given. */
export interface Parameter {
  readonly name: string
  readonly value: string
}

/** A parameter whose percent-encoding is not UTF-8; `name` is empty when the name itself cannot be decoded. */
export interface UndecodableParameter {
  readonly name: string
  readonly raw: string
}

/**
 * Reads a query string (without its `?`) as HTML forms write them: `&` between parameters, `+` for a blank, the rest
 * percent-encoded UTF-8 (WHATWG URL, application/x-www-form-urlencoded). Empty pieces between two `&` are skipped.
 */
export function readQueryString(raw: string): {
  parameters: Parameter[]
  undecodable: UndecodableParameter[]
} {
  const parameters: Parameter[] = []
  const undecodable: UndecodableParameter[] = []
  for (const piece of raw === '' ? [] : raw.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const name = decode(equals === -1 ? piece : piece.slice(0, equals))
    const value = equals === -1 ? '' : decode(piece.slice(equals + 1))
    if (name === undefined || value === undefined) undecodable.push({ name: name ?? '', raw: piece })
    else parameters.push({ name, value })
  }
  return { parameters, undecodable }
}

function decode(text: string): string | undefined {
  const blanks = text.includes('+') ? text.replaceAll('+', ' ') : text
  return blanks.includes('%') ? decodePercent(blanks) : blanks
}

/** Undoes percent-encoding; undefined when a `%` is not followed by two hex digits or the bytes are not UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Writes parameters as a query string. Commas and colons stay readable; brackets are encoded, as RFC 3986 asks. */
export function writeQueryString(parameters: readonly Parameter[]): string {
  return parameters.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&')
}

const UNRESERVED = /^[\w.~,:-]*$/

function encode(text: string): string {
  if (UNRESERVED.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
