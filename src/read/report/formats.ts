/** What can be read, by the names that a definition and the report use. */
export type Format = 'csv' | 'xlsx' | 'xls' | 'ods' | 'json' | 'ndjson'
