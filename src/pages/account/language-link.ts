/** Adds to the link to the other language what the server does not know: new filters and the fragment. */
export function carryAddress(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.language')
  if (link === null) return
  const query = new URLSearchParams(location.search)
  query.set('lang', link.hreflang)
  link.search = query.toString()
  link.hash = location.hash
}
