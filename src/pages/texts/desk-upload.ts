import { textTable } from './texts.ts'

/** Sending a file, or naming its address: `/publish`. */
export const UPLOAD_TEXTS = textTable({
  title: ['Publicați un fișier', 'Publish a file'],
  titleEdition: ['Publicați o ediție nouă', 'Publish a new edition'],
  choose: ['Alegeți fișierul', 'Choose a file'],
  orDrop: ['sau trageți-l în acest chenar.', 'or drop it into this box.'],
  formats: [
    (most: string) =>
      `Tabele în format CSV, Excel (XLSX, XLS), ODS sau JSON, de cel mult ${most}, și în arhive ZIP. O ediție nouă a unui set publicat se recunoaște după numele fișierului. Nimic nu se publică înainte de a confirma.`,
    (most: string) =>
      `Tables as CSV, Excel (XLSX, XLS), ODS or JSON, of at most ${most}, also inside a ZIP archive. A new edition of a published dataset is recognised by the name of the file. Nothing is published before you confirm it.`,
  ],
  address: ['sau scrieți adresa la care se află fișierul', 'or give the address of the file'],
  addressHint: [
    'O adresă care începe cu https:// sau, pentru un pachet CKAN, cu ckan:https://',
    'An address that begins with https://, or ckan:https:// for a CKAN package',
  ],
  fetch: ['Preia fișierul', 'Fetch the file'],
  sending: ['Se încarcă', 'Uploading'],
  of: [
    (sent: string, total: string) => `${sent} din ${total}`,
    (sent: string, total: string) => `${sent} of ${total}`,
  ],
  cancel: ['Renunță', 'Cancel'],
  empty: ['Fișierul este gol. Alegeți alt fișier.', 'The file is empty. Choose another one.'],
  tooLarge: [
    (most: string) => `Fișierul este prea mare: serviciul primește cel mult ${most}.`,
    (most: string) => `The file is too large: the service takes at most ${most}.`,
  ],
})
