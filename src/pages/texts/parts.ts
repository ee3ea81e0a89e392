import { textTable } from './texts.ts'

/** What parts of several pages say. */
export const PART_TEXTS = textTable(
  {
    copy: 'Copiază',
    copied: 'Copiat',
    original: 'Ce spune serviciul, în engleză',
  },
  {
    copy: 'Copy',
    copied: 'Copied',
    original: 'What the service says, in English',
  },
)
