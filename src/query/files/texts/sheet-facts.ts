/** The labels of the sheet about the rows, in both languages, as the file is the same for all readers. */
export const FACTS = {
  title: 'Title / Titlu',
  dataset: 'Dataset / Set de date',
  publisher: 'Publisher / Editor',
  licence: 'Licence / Licență',
  source: 'Source / Sursă',
  version: 'Version / Versiune',
  date: 'Date / Data',
  filter: 'Filter / Filtru',
} as const

export const PARAMETERS: Readonly<Record<string, string>> = {
  group_by: 'Groups / Grupuri',
  measures: 'Measures / Măsuri',
  sort: 'Order / Ordine',
}
