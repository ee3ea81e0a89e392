/** A dataset as a Frictionless Data Package (version 2), so that tools can load its CSV with the right types. */

import type { ColumnType } from '../engine/columns/column.ts'
import type { Descriptor } from '../store/catalog/record.ts'
import { datasetAddresses, type Place, webAddress } from './addresses.ts'
import { readLicence } from './licences.ts'

const PROFILES = 'https://datapackage.org/profiles/2.0'

const FIELD_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  integer: 'integer',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
}

export function dataPackage(place: Place, descriptor: Descriptor): object {
  const { id, title, description, keywords, publisher, license, provenance } = descriptor
  const at = datasetAddresses(place, descriptor)
  const licence = readLicence(license)
  const source = webAddress(provenance.source_url)
  return {
    $schema: `${PROFILES}/datapackage.json`,
    name: id,
    id: `${at.page}#dataset`,
    title,
    ...(description !== null && { description }),
    homepage: at.page,
    version: String(provenance.ingestion_version),
    created: provenance.imported_at,
    ...(keywords.length > 0 && { keywords }),
    ...(publisher !== null && { contributors: [{ title: publisher, roles: ['publisher'] }] }),
    ...(licence && {
      licenses: [
        {
          ...(licence.openDefinitionId !== null && { name: licence.openDefinitionId }),
          // A licence known only by its name is explained on the dataset's page.
          path: licence.url ?? at.page,
          title: licence.title,
        },
      ],
    }),
    sources: [{ title: provenance.source_file, ...(source !== undefined && { path: source }) }],
    resources: [tableResource(descriptor, at.file('csv'))],
  }
}

function tableResource({ id, title, columns, primary_key }: Descriptor, path: string): object {
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: id,
    type: 'table',
    title,
    path,
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    dialect: { delimiter: ',', lineTerminator: '\r\n', quoteChar: '"', doubleQuote: true, header: true },
    schema: {
      $schema: `${PROFILES}/tableschema.json`,
      fields: columns.map(({ name, title, type, description, required }) => ({
        name,
        type: FIELD_TYPES[type],
        ...(title !== null && { title }),
        ...(description !== null && { description }),
        ...(required && { constraints: { required: true } }),
      })),
      missingValues: [''],
      ...(primary_key.length > 0 && { primaryKey: primary_key }),
    },
  }
}
