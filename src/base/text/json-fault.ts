/** Finds where a text stops being JSON (RFC 8259), for people who write it by hand: `JSON.parse` names no line. */

const SIGN = /[{}[\],:]/y
const TEXT = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\p{L}\p{N}.])/uy
/** What word processors make of a straight quote. */
const CURLY_QUOTE = /[„“”‟«»‘’]/u
const SHOWN = 20

type Expected = 'value' | 'name' | 'colon' | 'next' | 'end'

/** The first fault as a sentence with its line, from 1; null when there is none. */
export function findJsonFault(text: string): string | null {
  const open: string[] = []
  let expected: Expected = 'value'
  let before = ''
  let at = 0
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0
    const token = readToken(text, at)
    const next: Expected | null = token === null ? null : follow(token, expected, open, before)
    if (at === text.length && expected === 'end') return null
    if (token === null || next === null) return describe(text, at, { token, expected, before, open })
    expected = next
    before = token
    at += token.length
  }
}

function readToken(text: string, at: number): string | null {
  for (const pattern of [SIGN, TEXT, SCALAR]) {
    pattern.lastIndex = at
    const token = pattern.exec(text)?.[0]
    if (token !== undefined) return token
  }
  return null
}

/** What may follow; null when the token itself is not allowed here. Keeps the stack of open brackets. */
function follow(token: string, expected: Expected, open: string[], before: string): Expected | null {
  const isScalar = !/^[{}[\],:]$/.test(token)
  const closes = (token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '[')
  if (closes && (expected === 'next' || before === '{' || before === '[')) {
    open.pop()
    return open.length === 0 ? 'end' : 'next'
  }
  if (expected === 'colon') return token === ':' ? 'value' : null
  if (expected === 'next' && token === ',') return open.at(-1) === '{' ? 'name' : 'value'
  if (expected === 'name') return token.startsWith('"') ? 'colon' : null
  if (expected !== 'value') return null
  if (isScalar) return open.length === 0 ? 'end' : 'next'
  if (token !== '{' && token !== '[') return null
  open.push(token)
  return token === '{' ? 'name' : 'value'
}

interface Fault {
  readonly token: string | null
  readonly expected: Expected
  readonly before: string
  readonly open: readonly string[]
}

function describe(text: string, at: number, fault: Fault): string {
  const place = fault.before === ',' && isClosing(fault.token) ? text.lastIndexOf(',', at) : at
  const line = text.slice(0, place).split('\n').length
  return `line ${line}: ${nameFault(text.slice(at), fault)}`
}

function isClosing(token: string | null): boolean {
  return token === '}' || token === ']'
}

function nameFault(rest: string, { token, expected, before, open }: Fault): string {
  const found = `'${/^(?:\w+|.)/u.exec(rest)?.[0].slice(0, SHOWN) ?? ''}'`
  if (rest === '')
    return open.length > 0 ? `the text ends, and a ${open.at(-1)} is still open` : 'it is empty'
  if (CURLY_QUOTE.test(rest[0] as string)) return `only straight quotes (") count, and here is ${found}`
  if (rest.startsWith('"') && token === null)
    return 'a text is not closed, or has a backslash that must be written twice'
  if (before === ',' && isClosing(token)) return `the comma before ${token} is one too many`
  if (expected === 'next') return `a comma is missing before ${found}`
  if (expected === 'colon') return `a colon is missing before ${found}`
  if (expected === 'end') return `the text goes on after its end, with ${found}`
  return `${expected === 'name' ? 'a name' : 'a value'} was expected, texts in double quotes, and here is ${found}`
}
