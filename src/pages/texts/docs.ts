import { textTable } from './texts.ts'

/** What stands around the guides. */
export const DOCS_TEXTS = textTable(
  {
    title: 'Documentație',
    lead: 'Ghiduri scurte pentru cei care lucrează cu datele și o referință în care orice cerere se poate încerca.',
    guides: 'Ghiduri',
    onThisPage: 'Pe această pagină',
    reference: 'Referința interactivă',
    referenceLead:
      'Toate adresele, parametrii și răspunsurile; cererile se încearcă pe loc, cu cheia dumneavoastră.',
    description: 'Descrierea OpenAPI',
    descriptionLead: 'Aceeași referință pentru programe și generatoare de programe client.',
    linkHere: 'Legătură la această secțiune',
    plans: 'Planuri',
    allCodes: 'Toate codurile',
    open: 'Deschide',
    previous: 'Înapoi',
    next: 'Mai departe',
    asMarkdown: 'Acest ghid ca Markdown',
    madeUp: 'Încă nu s-au publicat date potrivite pentru exemple; acestea numesc un set de date inventat.',
    plan: 'plan',
    monthlyQuota: 'apeluri pe lună',
    activeKeys: 'chei active',
    perMinute: 'cereri pe minut, fiecare cheie',
    noLimit: 'fără limită',
  },
  {
    title: 'Documentation',
    lead: 'Short guides for those who work with the data, and a reference in which every request can be tried out.',
    guides: 'Guides',
    onThisPage: 'On this page',
    reference: 'The interactive reference',
    referenceLead:
      'Every address, parameter and answer; requests can be tried out on the spot, with your key.',
    description: 'The OpenAPI description',
    descriptionLead: 'The same reference for programs and generators of clients.',
    linkHere: 'Link to this section',
    plans: 'Plans',
    allCodes: 'All codes',
    open: 'Open',
    previous: 'Back',
    next: 'Next',
    asMarkdown: 'This guide as Markdown',
    madeUp:
      'No data that would do for examples have been published yet; these name a dataset that is made up.',
    plan: 'plan',
    monthlyQuota: 'calls a month',
    activeKeys: 'active keys',
    perMinute: 'requests a minute, each key',
    noLimit: 'no limit',
  },
)
