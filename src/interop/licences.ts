/** Licences that publishers name in free text, recognised so that other catalogs can compare them. */

import { stripDiacritics } from '../base/text/snake-case.ts'
import { webAddress } from './addresses.ts'

export interface Licence {
  readonly title: string
  /** The address of its text; null when only its name is known. */
  readonly url: string | null
  /** Its identifier in the Open Definition list; null when it is not listed. */
  readonly openDefinitionId: string | null
  /** Its entry in the EU's authority table of licences, else its own address. */
  readonly iri: string | null
}

const EU = 'http://publications.europa.eu/resource/authority/licence/'
const CC = 'https://creativecommons.org/'
const ODC = 'https://opendatacommons.org/licenses/'

/** Romania's own licence, which the Open Definition list lacks. */
const OGL_ROU = 'OGL-ROU-1.0'

/** `names` are in lower-case letters and digits, without diacritics. */
const KNOWN: readonly (Licence & { readonly names: readonly string[] })[] = [
  {
    names: ['ccby40', 'ccby', 'ccattribution40', 'creativecommonsattribution40international'],
    title: 'Creative Commons Attribution 4.0',
    url: `${CC}licenses/by/4.0/`,
    openDefinitionId: 'CC-BY-4.0',
    iri: `${EU}CC_BY_4_0`,
  },
  {
    names: ['ccbysa40', 'ccbysa', 'creativecommonsattributionsharealike40international'],
    title: 'Creative Commons Attribution Share-Alike 4.0',
    url: `${CC}licenses/by-sa/4.0/`,
    openDefinitionId: 'CC-BY-SA-4.0',
    iri: `${EU}CC_BYSA_4_0`,
  },
  {
    names: ['cc0', 'cc010', 'creativecommonszero', 'cc010universal'],
    title: 'Creative Commons CC0 1.0',
    url: `${CC}publicdomain/zero/1.0/`,
    openDefinitionId: 'CC0-1.0',
    iri: `${EU}CC0`,
  },
  {
    names: ['odcby', 'odcby10', 'opendatacommonsattributionlicense'],
    title: 'Open Data Commons Attribution License 1.0',
    url: `${ODC}by/1-0/`,
    openDefinitionId: 'ODC-BY-1.0',
    iri: `${EU}ODC_BY`,
  },
  {
    names: ['odbl', 'odbl10', 'odcodbl', 'opendatabaselicense'],
    title: 'Open Data Commons Open Database License 1.0',
    url: `${ODC}odbl/1-0/`,
    openDefinitionId: 'ODbL-1.0',
    iri: `${EU}ODC_BL`,
  },
  {
    names: ['oglrou10', 'oglrou', 'licentapentruoguvernaredeschisa', 'licentapentruguvernaredeschisa'],
    title: 'Licența pentru o Guvernare Deschisă (OGL-ROU-1.0)',
    url: 'https://data.gov.ro/base/images/logoinst/OGL-ROU-1.0.pdf',
    openDefinitionId: null,
    iri: 'https://data.gov.ro/base/images/logoinst/OGL-ROU-1.0.pdf',
  },
]

/** The licences offered for choice: `name` is the value of a dataset's `license`. */
export const LICENCES: readonly { readonly name: string; readonly title: string }[] = KNOWN.map(
  ({ openDefinitionId, title }) => ({ name: openDefinitionId ?? OGL_ROU, title }),
)

/** Recognises a licence by its name or address; null when none is given. */
export function readLicence(text: string | null): Licence | null {
  if (text === null || text.trim() === '') return null
  const address = webAddress(text.trim())
  const folded = stripDiacritics(text).replace(/[^a-z0-9]/g, '')
  const bare = (address: string | null | undefined) =>
    address
      ?.replace(/^https?:\/\/(www\.)?/, '')
      .replace(/(deed\.\w+|legalcode)?\/?$/, '')
      .replace(/\/$/, '')
  const found = KNOWN.find(
    ({ names, url }) => names.includes(folded) || (address !== undefined && bare(address) === bare(url)),
  )
  return found ?? { title: text.trim(), url: address ?? null, openDefinitionId: null, iri: address ?? null }
}
