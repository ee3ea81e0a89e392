/**
 * The link to the other language leads to what is shown now: islands change the address without loading a page.
 */
export function keepQuestion(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.language')
  const follow = () => {
    if (link === null) return
    const { pathname, searchParams, hash } = new URL(location.href)
    searchParams.set('lang', link.hreflang)
    link.href = `${pathname}?${searchParams}${hash}`
  }
  for (const event of ['pointerover', 'focus', 'click']) link?.addEventListener(event, follow)
}
