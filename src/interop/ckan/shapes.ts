/** Datasets, publishers and domains in the shapes of CKAN 2.10: packages, organizations, groups. */

import { domainLabel } from '../../base/config/domain-labels.ts'
import { snakeCase } from '../../base/text/snake-case.ts'
import { FORMAT_TABLE } from '../../query/formats.ts'
import type { Descriptor } from '../../store/catalog/record.ts'
import { datasetAddresses, type Place, webAddress } from '../addresses.ts'
import { readLicence } from '../licences.ts'
import type { Fields } from './filter-query.ts'

/** The version of CKAN whose shapes these are; clients check it. */
export const CKAN_VERSION = '2.10.4'

/** The column types in answers of CKAN's datastore, by PostgreSQL's names. */
export const DATASTORE_TYPES = {
  string: 'text',
  integer: 'int8',
  decimal: 'float8',
  boolean: 'bool',
  date: 'date',
  datetime: 'timestamptz',
} as const

/** In characters, CKAN's own limit. */
const LONGEST_NAME = 100

/** The name of a publisher's organization, in lower-case letters, digits and hyphens. */
export function organizationName(publisher: string): string {
  return snakeCase(publisher).replaceAll('_', '-').slice(0, LONGEST_NAME) || 'publisher'
}

/** CKAN writes moments in UTC without saying so, with microseconds. */
function ckanMoment(timestamp: string): string {
  return timestamp.replace(
    /(?:\.(\d+))?Z$/,
    (_, fraction: string = '') => `.${fraction.padEnd(6, '0').slice(0, 6)}`,
  )
}

const NAMED = { description: '', image_display_url: '' }
const LISTED = { state: 'active', image_url: '' }

function groupOf(labels: string | null, domain: string) {
  const title = domainLabel(labels, 'ro', domain) ?? domain
  return { ...NAMED, id: domain, name: domain, title, display_name: title }
}

export function toOrganization(publisher: string) {
  const name = organizationName(publisher)
  const about = { ...NAMED, ...LISTED, id: name, name, title: publisher, display_name: publisher }
  return { ...about, type: 'organization', is_organization: true, approval_status: 'approved' }
}

/** A domain as a group, with its Romanian label from the setting `domain_labels`. */
export function toGroup(labels: string | null, domain: string) {
  return { ...groupOf(labels, domain), ...LISTED, type: 'group', is_organization: false }
}

export function toTag(keyword: string) {
  const name = keyword.trim()
  return { id: name, name, display_name: name, state: 'active', vocabulary_id: null }
}

export function toLicence(name: string) {
  const licence = readLicence(name)
  return {
    id: licence?.openDefinitionId ?? name,
    title: licence?.title ?? name,
    url: licence?.url ?? '',
    status: 'active',
    maintainer: '',
    od_conformance: 'not reviewed',
    osd_conformance: 'not reviewed',
    family: '',
    is_generic: false,
    domain_content: true,
    domain_data: true,
    domain_software: false,
  }
}

/** A dataset as a package: one resource of the datastore, then its files. */
export function toPackage(place: Place, dataset: Descriptor) {
  const { id, domain, title, description, publisher, license, keywords, provenance } = dataset
  const modified = ckanMoment(provenance.imported_at)
  const licence = license === null ? undefined : toLicence(license)
  const resources = toResources(place, dataset)
  return {
    id,
    name: id,
    title,
    notes: description ?? '',
    type: 'dataset',
    state: 'active',
    private: false,
    metadata_created: modified,
    metadata_modified: modified,
    version: String(provenance.ingestion_version),
    url: webAddress(provenance.source_url) ?? `${place.base}/datasets/${id}`,
    author: publisher,
    author_email: null,
    maintainer: publisher,
    maintainer_email: null,
    license_id: licence?.id ?? null,
    license_title: licence?.title ?? null,
    license_url: licence?.url ?? null,
    isopen: licence !== undefined && licence.url !== '',
    organization: publisher === null ? null : toOrganization(publisher),
    owner_org: publisher === null ? null : organizationName(publisher),
    groups: [groupOf(place.domainLabels, domain)],
    tags: keywords.map(toTag),
    extras: [],
    resources,
    num_resources: resources.length,
    num_tags: keywords.length,
    relationships_as_object: [],
    relationships_as_subject: [],
  }
}

const ROWS = '-rows'

/** The id of the resource with a dataset's rows: CKAN takes ids of 7 to 100 characters. */
export function rowsId(dataset: string): string {
  return `${dataset}${ROWS}`
}

/** The dataset whose rows a resource holds. The dataset's own id is accepted, too. */
export function datasetOfRows(resource: string): string {
  return resource.endsWith(ROWS) ? resource.slice(0, -ROWS.length) : resource
}

/** A dataset's resources: its rows, then its files. Their ids begin with the dataset's. */
export function toResources(place: Place, dataset: Descriptor) {
  const { id, domain, endpoint, title, provenance } = dataset
  const modified = ckanMoment(provenance.imported_at)
  const shared = {
    package_id: id,
    state: 'active',
    created: modified,
    last_modified: modified,
    metadata_modified: modified,
    size: null,
    hash: '',
    cache_url: null,
    cache_last_updated: null,
    resource_type: null,
  }
  const files = datasetAddresses(place, { id, domain, endpoint })
  const rows = {
    id: rowsId(id),
    name: title,
    description: '',
    format: 'CSV',
    mimetype: 'text/csv',
    url_type: 'datastore',
    url: `${place.base}/datastore/dump/${rowsId(id)}`,
    datastore_active: true,
    position: 0,
    ...shared,
  }
  const others = Object.values(FORMAT_TABLE).map(({ name, contentType }, index) => ({
    id: `${id}-file-${name}`,
    name: `${title} (${name.toUpperCase()})`,
    description: '',
    format: name.toUpperCase(),
    mimetype: contentType.split(';')[0]!,
    url_type: null,
    url: files.file(name),
    datastore_active: false,
    position: index + 1,
    ...shared,
  }))
  return [rows, ...others]
}

export function fieldsOf(dataset: Descriptor): Fields {
  const { id, domain, title, publisher, license, keywords, provenance } = dataset
  const organization = publisher === null ? [] : [organizationName(publisher)]
  const moment = [provenance.imported_at]
  return {
    id: [id],
    name: [id],
    title: [title],
    groups: [domain],
    organization,
    owner_org: organization,
    tags: keywords.map((keyword) => keyword.trim()),
    license_id: license === null ? [] : [toLicence(license).id],
    res_format: Object.keys(FORMAT_TABLE),
    metadata_modified: moment,
    metadata_created: moment,
    state: ['active'],
    private: ['false'],
    type: ['dataset'],
    dataset_type: ['dataset'],
    capacity: ['public'],
  }
}
