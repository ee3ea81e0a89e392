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
  /** What the publisher may choose from: the domains of the role, or those that are known. */
  readonly domains: readonly string[]
  readonly mayNameDomain: boolean
  /** Licences to choose from: what a dataset says, and the title of the licence. */
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
  /** Says what was done, and fetches the dataset again. */
  readonly onDone: (text: string) => void
}
