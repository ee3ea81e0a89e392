/** Imported for its effect: the link to the other language leads to what an island shows now, not to the loaded page. */

const link = document.querySelector<HTMLAnchorElement>('a.language')
for (const event of ['pointerover', 'focus', 'click']) {
  link?.addEventListener(event, () => {
    const { pathname, searchParams, hash } = new URL(location.href)
    searchParams.set('lang', link.hreflang)
    link.href = `${pathname}?${searchParams}${hash}`
  })
}

export {}
