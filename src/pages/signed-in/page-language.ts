import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../../base/text/language.ts'

export const PageLanguage = createContext<Language>('ro')

/** The time zone of a page's moments; undefined for the browser's. */
export const PageZone = createContext<string | undefined>(undefined)

export function useLanguage(): Language {
  return useContext(PageLanguage)
}

/** The texts of a page in its language. */
export function useTexts<Texts>(texts: Readonly<Record<Language, Texts>>): Texts {
  return texts[useLanguage()]
}
