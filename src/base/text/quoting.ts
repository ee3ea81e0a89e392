/**
 * A CSV cell (RFC 4180). A text that a spreadsheet would take for a formula stays as it is: a source's records are
 * evidence and must be exact.
 */
export function csvCell(text: string, delimiter = ','): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function quoteArgument(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
