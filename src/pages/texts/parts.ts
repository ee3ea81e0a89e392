import { textTable } from './texts.ts'

/** Parts that several pages share. */
export const PART_TEXTS = textTable({
  copy: ['Copiază', 'Copy'],
  copied: ['Copiat', 'Copied'],
  original: ['Mesajul serviciului, în engleză', 'The service’s message, in English'],
})
