/** The bar above the reference. */

import type { Language } from '../../../base/text/language.ts'

export const BAR_TEXTS: Readonly<
  Record<Language, Readonly<Record<'label' | 'guides' | 'first' | 'errors', string>>>
> = {
  ro: { label: 'Documentație', guides: 'Ghiduri', first: 'Primul apel', errors: 'Erori' },
  en: { label: 'Documentation', guides: 'Guides', first: 'First call', errors: 'Errors' },
}
