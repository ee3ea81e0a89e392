/** A list of texts in one argument: `-,n/a`; a text with a comma or outer spaces in double quotes, doubled inside. */

export function splitTexts(list: string): string[] {
  const pieces = list.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g)
  const texts = [...pieces].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
  return texts.filter((text) => text !== '')
}

export function joinTexts(texts: readonly string[]): string {
  const isPlain = (text: string) => text === text.trim() && !/[",]/.test(text)
  return texts.map((text) => (isPlain(text) ? text : `"${text.replaceAll('"', '""')}"`)).join()
}
