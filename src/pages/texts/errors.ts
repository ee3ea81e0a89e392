import { textTable } from './texts.ts'

/** Pages that say that something did not work. */
export const ERROR_TEXTS = textTable(
  {
    notFound: 'Nu am găsit pagina',
    datasetNotFound: 'Nu am găsit setul de date',
    methodNotAllowed: 'Aici nu se poate așa',
    limited: 'Prea multe cereri',
    unavailable: 'Momentan indisponibil',
    refused: 'Cererea nu se poate îndeplini',
    failed: 'Ceva n-a mers la noi',
    near: 'Seturi de date cu un nume apropiat',
    back: 'Înapoi la catalog',
    details: 'Codul erorii',
    requestId: 'Numărul cererii',
  },
  {
    notFound: 'There is no such page',
    datasetNotFound: 'There is no such dataset',
    methodNotAllowed: 'This is not possible here',
    limited: 'Too many requests',
    unavailable: 'Not available at the moment',
    refused: 'This request cannot be answered',
    failed: 'Something went wrong on our side',
    near: 'Datasets of nearly this name',
    back: 'Back to the catalog',
    details: 'Error code',
    requestId: 'Request id',
  },
)
