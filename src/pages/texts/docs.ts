import { textTable } from './texts.ts'

/** The reference of the API. */
export const REFERENCE_TEXTS = textTable({
  title: ['Referința API', 'API reference'],
  forPrograms: ['pentru programe:', 'for programs:'],
  errors: ['Erorile, una câte una', 'Errors, one by one'],
  firstCall: ['Primul apel, pas cu pas', 'The first call, step by step'],
  key: [
    'Cheia dumneavoastră, pentru cererile pe care le încercați aici',
    'Your key, for requests that you try here',
  ],
  byKey: ['Cu o cheie.', 'With a key.'],
  bySession: [
    'În sesiunea browserului, după autentificare.',
    'In the session of the browser, after signing in.',
  ],
  open: ['Fără cheie.', 'Without a key.'],
  send: ['Trimiteți', 'Send'],
  address: ['Adresa cererii', 'Address of the request'],
  answer: ['Răspunsul', 'The response'],
  foreign: ['Numai adrese ale acestui serviciu.', 'Only addresses of this service.'],
})

/** The frame of the guides. */
export const DOCS_TEXTS = textTable({
  title: ['Documentație', 'Documentation'],
  lead: [
    'Ghiduri scurte pentru cei care lucrează cu datele și o referință în care puteți încerca orice cerere.',
    'Short guides to working with the data, and a reference in which you can try every request.',
  ],
  guides: ['Ghiduri', 'Guides'],
  onThisPage: ['Pe această pagină', 'On this page'],
  reference: ['Referința API', 'The API reference'],
  referenceLead: [
    'Toate adresele, toți parametrii și toate răspunsurile; puteți încerca cererile pe loc, cu cheia dumneavoastră.',
    'Every address, parameter and response; you can try requests on the spot with your key.',
  ],
  description: ['Descrierea OpenAPI', 'The OpenAPI description'],
  descriptionLead: [
    'Aceeași referință, pentru programe și pentru generatoare de clienți.',
    'The same reference for programs and client generators.',
  ],
  linkHere: ['Legătură către această secțiune', 'Link to this section'],
  allCodes: ['Toate codurile', 'All codes'],
  open: ['Deschideți', 'Open'],
  previous: ['Înapoi', 'Previous'],
  next: ['Înainte', 'Next'],
  asMarkdown: ['Acest ghid ca Markdown', 'This guide as Markdown'],
  madeUp: [
    'Încă nu s-au publicat date potrivite pentru exemple; acestea folosesc un set de date inventat.',
    'No published dataset suits the examples yet; they use a made-up one.',
  ],
  plan: ['plan', 'plan'],
  monthlyQuota: ['apeluri pe lună', 'calls per month'],
  activeKeys: ['chei active', 'active keys'],
  perMinute: ['cereri pe minut pentru fiecare cheie', 'requests per minute for each key'],
  noLimit: ['fără limită', 'no limit'],
})
