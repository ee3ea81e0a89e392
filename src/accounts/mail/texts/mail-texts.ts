import type { Language } from '../../../base/text/language.ts'
import { ENGLISH } from './english.ts'
import { ROMANIAN } from './romanian.ts'
import type { MailTexts } from './texts.ts'

/** The texts of all mails. */
export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = { ro: ROMANIAN, en: ENGLISH }
