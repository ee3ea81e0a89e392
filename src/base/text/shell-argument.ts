/** An argument as a shell takes it: as it is, or in quotes. */
export function quoteArgument(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
