/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { EMBED_TEXTS } from '../texts/embed.ts'
import { embedAddress } from './embed-address.ts'

/** The default size of a frame, in pixels. */
export const FRAME_SIZE = { width: 720, height: 480 } as const

interface EmbedCodeProps {
  readonly language: Language
  /** The service's public address. */
  readonly base: string
  /** Path and query of the page to show. */
  readonly page: string
  readonly title: string
}

/** The code that shows a page's chart, map or rows elsewhere, in a field to copy from; with scripts, also a button. */
export function EmbedCode({ language, base, page, title }: EmbedCodeProps) {
  const texts = EMBED_TEXTS[language]
  const found = embedAddress(page, language)
  if (found === undefined) return null
  return (
    <details class="code">
      <summary>
        <h3>{texts.heading}</h3>
      </summary>
      <p>{texts.lead}</p>
      <CodeBox language={language} label={texts.code} text={frameCode(base + found.address, title)} isField />
    </details>
  )
}

/**
 * The element that shows an address in a page.
 * @param size in pixels; by default the frame is as wide as its place
 */
export function frameCode(
  address: string,
  title: string,
  { width, height }: { readonly width: number | string; readonly height: number } = {
    ...FRAME_SIZE,
    width: '100%',
  },
): string {
  const [src, name] = [address, title].map((text) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
  return `<iframe src="${src}" title="${name}" width="${width}" height="${height}" frameborder="0" loading="lazy"></iframe>`
}
