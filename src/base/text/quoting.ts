/**
 * A cell of RFC 4180. A text that a spreadsheet would take for a formula stays as it is: records of a source are evidence,
 * and exact.
 */
export function csvCell(text: string, delimiter = ','): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function quoteArgument(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
