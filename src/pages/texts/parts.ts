import { textTable } from './texts.ts'

/** What parts of several pages say. */
export const PART_TEXTS = textTable(
  {
    copy: 'Copiază',
    copied: 'Copiat',
  },
  {
    copy: 'Copy',
    copied: 'Copied',
  },
)
