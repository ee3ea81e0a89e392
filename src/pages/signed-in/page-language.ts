import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../../base/text/language.ts'

export const PageLanguage = createContext<Language>('ro')

export function useLanguage(): Language {
  return useContext(PageLanguage)
}

/** The texts of a page in its language. */
export function useTexts<Texts>(texts: Readonly<Record<Language, Texts>>): Texts {
  return texts[useLanguage()]
}
