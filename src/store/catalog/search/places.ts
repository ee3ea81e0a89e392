/** Parts of the catalog, and the conditions of the queries that list one. */

/** Everything, or some domains and some `domain/dataset`s. */
export type Places = 'all' | ReadonlySet<string>

/** Whether a dataset is in a part of the catalog. */
export function holdsDataset(places: Places, domain: string, id: string): boolean {
  return places === 'all' || places.has(domain) || places.has(`${domain}/${id}`)
}

/** The condition of a query over `datasets d`; its parameter is `placesParameter`. */
export const IN_PLACES = `(@places IS NULL
  OR d.domain IN (SELECT value FROM json_each(@places))
  OR d.domain || '/' || d.id IN (SELECT value FROM json_each(@places)))`

export function placesParameter(places: Places): string | null {
  return places === 'all' ? null : JSON.stringify([...places])
}

/** The condition of a query over `datasets d`; its parameter is a moment in the form of `imported_at`, or null. */
export const IS_RECENT = `(@since IS NULL OR @since <=
  (SELECT imported_at FROM versions WHERE dataset_id = d.id AND version = d.served_version))`

/** The part of a list that is shown. */
export interface Page {
  readonly limit: number
  readonly offset: number
}
