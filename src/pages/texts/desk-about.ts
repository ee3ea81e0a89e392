import { textTable } from './texts.ts'

/** What is said of a dataset: `/publish/drafts/{id}` and `/publish/datasets/{id}`. */
export const ABOUT_TEXTS = textTable({
  title: ['Despre setul de date', 'About the dataset'],
  newText: [
    'Ce vor citi oamenii despre aceste date. Puteți completa și după publicare.',
    'What people read about these data. It can also be completed after publishing.',
  ],
  editionText: [
    (id: string, domain: string) => `Setul ${id}, domeniul ${domain}.`,
    (id: string, domain: string) => `The dataset ${id} in the domain ${domain}.`,
  ],
  name: ['Titlu', 'Title'],
  nameHint: [
    'De exemplu „Șomajul înregistrat pe județe”. Fără titlu se folosește numele fișierului.',
    'For example “Registered unemployment by county”. Without one the name of the file is used.',
  ],
  id: ['Nume în adrese', 'Name in addresses'],
  idHint: [
    'Litere mici fără diacritice, cifre și _. Nu se mai poate schimba după publicare.',
    'Small letters, digits and _. It cannot be changed after publishing.',
  ],
  wrongId: [
    'Numele are 1–64 de litere mici fără diacritice, cifre sau _.',
    'The name has 1 to 64 small letters, digits or _.',
  ],
  domain: ['Domeniu', 'Domain'],
  noDomain: ['— alegeți —', '— choose —'],
  domainMissing: ['Alegeți un domeniu.', 'Choose a domain.'],
  otherDomain: ['alt domeniu…', 'another domain…'],
  domainId: ['Numele domeniului', 'Name of the domain'],
  domainIdHint: [
    'Un cuvânt cu litere mici fără diacritice, de exemplu urbanism.',
    'One word in small letters, for example planning.',
  ],
  publisher: ['Instituția care publică', 'Publisher'],
  publisherHint: ['De exemplu Primăria Cluj-Napoca.', 'For example City of Cluj-Napoca.'],
  licence: ['Licență', 'Licence'],
  noLicence: ['— nespecificată —', '— not stated —'],
  otherLicence: ['altă licență…', 'another licence…'],
  licenceName: ['Numele sau adresa licenței', 'Name or address of the licence'],
  keywords: ['Cuvinte-cheie', 'Keywords'],
  keywordsHint: ['Despărțite prin virgulă.', 'Separated by commas.'],
  description: ['Descriere', 'Description'],
  descriptionHint: [
    'Ce conțin datele, de unde provin și ce trebuie știut despre ele.',
    'What the data hold, where they come from and what one has to know about them.',
  ],
  save: ['Salvează', 'Save'],
  saved: ['Textele sunt salvate.', 'The texts are saved.'],
})
