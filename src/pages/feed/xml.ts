/** Writing XML elements, with every text and attribute escaped. */

/** Characters that XML 1.0 cannot represent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

function escapeText(text: string): string {
  return Bun.escapeHTML(text.toWellFormed().replace(NOT_IN_XML, ''))
}

/** An element as text. @param children other elements, or one text that is escaped */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly string[] | string = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`)
  const inside = typeof children === 'string' ? escapeText(children) : children.join('')
  return `<${name}${written.join('')}>${inside}</${name}>`
}

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
