/** The guides: Markdown in both languages, one file each, with the same sections in the same order. */

import type { Language } from '../../mail/language.ts'
import catalogsEn from './en/catalogs.md' with { type: 'text' }
import errorsEn from './en/errors.md' with { type: 'text' }
import firstCallEn from './en/first-call.md' with { type: 'text' }
import limitsEn from './en/limits.md' with { type: 'text' }
import pagingEn from './en/paging.md' with { type: 'text' }
import queriesEn from './en/queries.md' with { type: 'text' }
import stabilityEn from './en/stability.md' with { type: 'text' }
import catalogsRo from './ro/catalogs.md' with { type: 'text' }
import errorsRo from './ro/errors.md' with { type: 'text' }
import firstCallRo from './ro/first-call.md' with { type: 'text' }
import limitsRo from './ro/limits.md' with { type: 'text' }
import pagingRo from './ro/paging.md' with { type: 'text' }
import queriesRo from './ro/queries.md' with { type: 'text' }
import stabilityRo from './ro/stability.md' with { type: 'text' }

export interface Guide {
  /** Last part of its address. */
  readonly name: string
  readonly path: string
  readonly text: Readonly<Record<Language, string>>
}

/** Where they begin. */
export const GUIDES_PATH = '/docs/guides'

/** In the order in which one reads them. */
export const GUIDES: readonly Guide[] = [
  guide('first-call', firstCallRo, firstCallEn),
  guide('queries', queriesRo, queriesEn),
  guide('paging', pagingRo, pagingEn),
  guide('errors', errorsRo, errorsEn),
  guide('limits', limitsRo, limitsEn),
  guide('stability', stabilityRo, stabilityEn),
  guide('catalogs', catalogsRo, catalogsEn),
]

function guide(name: string, ro: string, en: string): Guide {
  return { name, path: `${GUIDES_PATH}/${name}`, text: { ro, en } }
}

export function findGuide(name: string): Guide | undefined {
  return GUIDES.find((known) => known.name === name)
}

/** What a guide calls itself. */
export function titleOf({ text }: Guide, language: Language): string {
  return text[language].split('\n', 1)[0]!.replace(/^# /, '')
}

/** The one sentence below the title. */
export function leadOf({ text }: Guide, language: Language): string {
  return text[language].split('\n\n', 2)[1]!.trim()
}

/** The guides for documents that name pages, in English. */
export function guideLinks(): { readonly path: string; readonly title: string }[] {
  return GUIDES.map((known) => ({ path: known.path, title: titleOf(known, 'en') }))
}

/** What stands below title and lead. */
export function bodyOf({ text }: Guide, language: Language): string {
  return text[language].split('\n\n').slice(2).join('\n\n')
}
