import { textTable } from './texts.ts'

/** Error pages. */
export const ERROR_TEXTS = textTable({
  notFound: ['Nu am găsit pagina', 'Page not found'],
  datasetNotFound: ['Nu am găsit setul de date', 'Dataset not found'],
  methodNotAllowed: ['Cerere nepermisă aici', 'Request not allowed here'],
  limited: ['Prea multe cereri', 'Too many requests'],
  unavailable: ['Momentan indisponibil', 'Currently unavailable'],
  refused: ['Cererea nu poate fi îndeplinită', 'This request cannot be answered'],
  failed: ['A apărut o eroare la noi', 'Something went wrong on our side'],
  near: ['Seturi de date cu nume asemănătoare', 'Datasets with similar names'],
  back: ['Înapoi la catalog', 'Back to the catalog'],
  details: ['Codul erorii', 'Error code'],
  requestId: ['Numărul cererii', 'Request id'],
})
