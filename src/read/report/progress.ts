/** How far an ingest is. */

export interface IngestProgress {
  /**
   * Fetching (from an address), unpacking (an archive), converting (workbooks and JSON) and reading count bytes,
   * writing columns.
   */
  readonly phase: 'fetching' | 'unpacking' | 'converting' | 'reading' | 'writing'
  readonly bytes: number
  readonly totalBytes: number | null
  readonly rows: number
}
