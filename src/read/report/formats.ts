/** What can be read, by the names that a definition and the report use. */
export const FORMATS = ['csv', 'xlsx', 'xls', 'ods', 'json', 'ndjson'] as const
export type Format = (typeof FORMATS)[number]
