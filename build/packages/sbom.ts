/** The list of parts (CycloneDX 1.6, ECMA-424): every package in the executable, and the libraries of the image. */

import type { Part } from '../licenses.ts'
import { digest, type Release } from './entries.ts'

/** A package of Debian in the image. */
export interface DebianPart {
  readonly name: string
  readonly version: string
  readonly architecture: string
}

/** @returns the text of `izvor-VERSION.cdx.json` */
export function writeSbom(
  parts: readonly Part[],
  debian: readonly DebianPart[],
  { version, date }: Release,
): string {
  const components = [...parts.map(describe), ...debian.map(describeDebian)]
  const document = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    serialNumber: serialOf(JSON.stringify(components) + version),
    metadata: {
      timestamp: date.toISOString(),
      component: {
        ...{ type: 'application', 'bom-ref': 'izvor', name: 'izvor', version },
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components,
    dependencies: [{ ref: 'izvor', dependsOn: components.map((component) => component['bom-ref']) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function describe({ name, version, license, purl }: Part) {
  // SPDX expressions join identifiers by operators in capitals; "MIT and others" is a sentence.
  const isExpression = /^\(?[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*\)?$/.test(license)
  return {
    ...{ type: 'library', 'bom-ref': purl ?? `izvor/${name}`, name, version },
    licenses: [isExpression ? { expression: license } : { license: { name: license } }],
    ...(purl === undefined ? {} : { purl }),
  }
}

function describeDebian({ name, version, architecture }: DebianPart) {
  const purl = `pkg:deb/debian/${name.replaceAll('+', '%2B')}@${encodeURIComponent(version)}?arch=${architecture}`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

/** A UUID (version 8, RFC 9562) of the list's contents, so that equal lists are equal files. */
function serialOf(text: string): string {
  const hex = digest('sha256', new TextEncoder().encode(text))
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${groups.join('-')}`
}
