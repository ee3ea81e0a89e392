import type { PublishedDataset } from '../../publish/published/published.ts'
import { type AccountFacts, accountLink } from '../account/account-places.ts'

export type DeskPlace =
  | { readonly page: 'home' }
  | { readonly page: 'draft'; readonly id: string }
  | { readonly page: 'dataset'; readonly id: string }

export interface DeskFacts extends AccountFacts {
  readonly place: DeskPlace
  readonly email: string
  /** The setting `domain_labels`. */
  readonly domainLabels: string | null
  /** The domains to choose from: those of the publisher's role, or all known ones. */
  readonly domains: readonly string[]
  readonly mayNameDomain: boolean
  /** The licences to choose from: the value of a dataset's field, and the licence's title. */
  readonly licences: readonly { readonly name: string; readonly title: string }[]
  readonly maxUpload: number
}

export const DESK_API = '/publish/api'

export function deskPath(place: DeskPlace): string {
  return place.page === 'home' ? '/publish' : `/publish/${place.page}s/${place.id}`
}

export function goHome(facts: DeskFacts): void {
  location.assign(accountLink(facts, deskPath({ page: 'home' })))
}

export interface DatasetViewOptions {
  readonly facts: DeskFacts
  readonly dataset: PublishedDataset
  readonly path: string
  /** Reports what was done, and fetches the dataset again. */
  readonly onDone: (text: string) => void
}
