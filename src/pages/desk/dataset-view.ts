import type { PublishedDataset } from '../../publish/published/published.ts'
import type { DeskFacts } from './places.ts'

/** What every part of a dataset's page is given. */
export interface DatasetViewOptions {
  readonly facts: DeskFacts
  readonly dataset: PublishedDataset
  /** Its address in the desk's interface. */
  readonly path: string
  /** Says what was done, and fetches the dataset again. */
  readonly onDone: (text: string) => void
}
