/** Addresses of frames that show pages on other sites (contract 14). */

import { type Parameter, readQueryString } from '../../base/text/query-string.ts'
import { FORM, NOT_ASKED, questionAddress } from '../question/question.ts'

/** Pages that can be shown in a frame. */
const PAGE = /^\/datasets\/([a-z0-9_]{1,64})(?:\/(summary|map))?$/
const FRAME = /^\/embed\/([a-z0-9_]{1,64})$/

/**
 * The address that a frame loads to show a page.
 * @param address path and query of the page, or of the frame itself
 * @param language of the page's readers, where its address names none
 * @returns the path with its query, and the dataset; undefined for any other address
 */
export function embedAddress(
  address: string,
  language: string,
): { readonly id: string; readonly address: string } | undefined {
  const [path = '', query = ''] = address.replace(/#.*/s, '').split(/\?(.*)/s)
  const given = readQueryString(query).parameters.filter(({ value }) => value !== '')
  const framed = FRAME.exec(path)?.[1]
  const [, id = framed, view = 'rows'] = PAGE.exec(path) ?? []
  if (id === undefined) return undefined
  const lang = given.find(({ name }) => name === 'lang')?.value ?? language
  const kept = given.filter(({ name }) => !ofThePage(name))
  const parameters: Parameter[] = [
    ...(framed === undefined ? [{ name: 'view', value: view }] : []),
    ...kept,
    { name: 'lang', value: lang },
  ]
  return { id, address: questionAddress(`/embed/${id}`, parameters) }
}

/** The page of which a frame shows a part. @param path of the frame @param query as sent */
export function fullAddress(path: string, query: string): string {
  const id = FRAME.exec(path)?.[1]
  if (id === undefined) return '/'
  const given = readQueryString(query).parameters
  const view = given.find(({ name }) => name === 'view')?.value ?? 'summary'
  const page = view === 'summary' || view === 'map' ? `/datasets/${id}/${view}` : `/datasets/${id}`
  const kept = given.filter(({ name }) => name === 'lang' || (name !== 'view' && !ofThePage(name)))
  return questionAddress(page, kept)
}

/** Whether a parameter concerns how a page is shown or a form was filled in, not the question. */
function ofThePage(name: string): boolean {
  return NOT_ASKED.includes(name) || (Object.values(FORM) as string[]).includes(name)
}
