/** The progress of an ingest. */

export interface IngestProgress {
  /**
   * `fetching` (from an address), `unpacking` (an archive), `converting` (workbooks and JSON) and `reading` count bytes,
   * `writing` counts columns.
   */
  readonly phase: 'fetching' | 'unpacking' | 'converting' | 'reading' | 'writing'
  readonly bytes: number
  readonly totalBytes: number | null
  readonly rows: number
}
