/** A Debian package (deb(5)): an `ar` archive of the format's version, the control files and the files. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../entry-points.ts'
import { type Architecture, bytesOf, digest, type Entry, pack, packEntries, type Release } from './entries.ts'
import { writeManPage } from './man-page.ts'

const OPS = join(ROOT, 'data/ops')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const readOps = (name: string): string => readFileSync(join(OPS, name), 'utf8')

/** What dpkg runs, and what debconf asks. */
const SCRIPTS = ['config', 'postinst', 'prerm', 'postrm'] as const
const MAINTAINER = 'Izvor maintainers <maintainers@izvor.invalid>'
const SUMMARY = 'open-data server in one executable'
const CONFIG_FILE = 'etc/izvor/izvor.toml'

/** @returns the bytes of `izvor_VERSION_ARCHITECTURE.deb` */
export async function makeDeb(
  executable: Uint8Array<ArrayBuffer>,
  architecture: Architecture,
  release: Release,
): Promise<Uint8Array<ArrayBuffer>> {
  const files = installedFiles(executable, release)
  return writeAr(
    [
      ['debian-binary', new TextEncoder().encode('2.0\n')],
      ['control.tar.gz', pack(await packEntries(controlFiles(files, architecture, release), release, './'))],
      ['data.tar.gz', pack(await packEntries(files, release, './'))],
    ],
    release,
  )
}

function installedFiles(executable: Uint8Array<ArrayBuffer>, release: Release): Entry[] {
  const doc = 'usr/share/doc/izvor'
  const examples = ['nginx.conf', 'Caddyfile', 'alerts.yml', 'grafana-dashboard.json', 'litestream.yml']
  return [
    { path: 'usr/bin/izvor', data: executable, mode: 0o755 },
    { path: CONFIG_FILE, data: readOps('deb/izvor.toml') },
    { path: 'usr/lib/systemd/system/izvor.service', data: unitOfPackage() },
    { path: 'usr/share/applications/izvor.desktop', data: readOps('deb/izvor.desktop') },
    { path: 'usr/share/icons/hicolor/scalable/apps/izvor.svg', data: readOps('deb/izvor.svg') },
    { path: 'usr/share/mime/packages/izvor.xml', data: readOps('deb/mime.xml') },
    { path: 'usr/share/man/man1/izvor.1.gz', data: packText(writeManPage(release)) },
    { path: 'usr/share/lintian/overrides/izvor', data: readOps('deb/lintian-overrides') },
    { path: `${doc}/copyright`, data: writeCopyright(release) },
    { path: `${doc}/changelog.gz`, data: packText(writeChangelog(release)) },
    { path: `${doc}/NOTICE.gz`, data: packText(read('NOTICE')) },
    ...examples.map((name) => ({ path: `${doc}/examples/${name}`, data: readOps(name) })),
  ]
}

/** Debian's policy (12.1) asks for the highest compression level. */
const packText = (text: string): Uint8Array<ArrayBuffer> => pack(text, 9)

/** The unit of data/ops, without the comment on how to install it by hand. */
function unitOfPackage(): string {
  const unit = readOps('izvor.service').replaceAll('/usr/local/bin/', '/usr/bin/')
  return unit.slice(unit.indexOf('[Unit]'))
}

function controlFiles(files: readonly Entry[], architecture: Architecture, release: Release): Entry[] {
  const sums = files.map((file) => `${digest('md5', bytesOf(file))}  ${file.path}\n`).toSorted()
  return [
    { path: 'control', data: writeControl(files, architecture, release) },
    { path: 'conffiles', data: `/${CONFIG_FILE}\n` },
    { path: 'md5sums', data: sums.join('') },
    { path: 'templates', data: readOps('deb/templates') },
    ...SCRIPTS.map((name) => ({ path: name, data: readOps(`deb/${name}`), mode: 0o755 })),
  ]
}

function writeControl(files: readonly Entry[], architecture: Architecture, { version }: Release): string {
  const kibibytes = files.reduce((sum, file) => sum + Math.ceil(bytesOf(file).length / 1024), 0)
  const fields = {
    Package: 'izvor',
    Version: version,
    Architecture: architecture,
    Maintainer: MAINTAINER,
    'Installed-Size': kibibytes,
    // What the executable and the addon of SQLite load.
    Depends: 'adduser, debconf (>= 0.5) | debconf-2.0, libc6 (>= 2.34), libstdc++6 (>= 11)',
    Section: 'web',
    Priority: 'optional',
    Description: [
      SUMMARY,
      ' Izvor reads the tables that an institution publishes (CSV, XLSX, ODS, JSON)',
      ' and serves each at an address of its own: pages for people, and an API with',
      ' one query language, keys, exports, a catalog and a quality report.',
      ' .',
      ' The package has the service, which listens only on this machine until its',
      ' settings say otherwise, and an entry for the menu of a desktop.',
    ].join('\n'),
  }
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

function writeCopyright({ date }: Release): string {
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: izvor',
    'Comment: NOTICE.gz beside this file has the licenses of all parts of the executable.',
    '',
    'Files: *',
    `Copyright: ${date.getUTCFullYear()} Izvor maintainers`,
    'License: Apache-2.0',
    ' On Debian systems, the text of the Apache License 2.0 is in',
    ' /usr/share/common-licenses/Apache-2.0.',
    '',
  ].join('\n')
}

function writeChangelog({ version, date }: Release): string {
  const on = date.toUTCString().replace('GMT', '+0000')
  return `izvor (${version}) stable; urgency=medium\n\n  * CHANGELOG.md of the sources says what is new.\n\n -- ${MAINTAINER}  ${on}\n`
}

/** In the form that dpkg reads: names of up to 16 characters, root as the owner. */
function writeAr(
  members: readonly [name: string, bytes: Uint8Array][],
  { date }: Release,
): Uint8Array<ArrayBuffer> {
  const seconds = String(Math.floor(date.getTime() / 1000))
  const parts = members.flatMap(([name, bytes]) => {
    const fields = [name.padEnd(16), seconds.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)]
    const head = `${fields.join('')}${String(bytes.length).padEnd(10)}\`\n`
    return [
      new TextEncoder().encode(head),
      bytes,
      new TextEncoder().encode(bytes.length % 2 === 1 ? '\n' : ''),
    ]
  })
  return new Uint8Array(Buffer.concat([new TextEncoder().encode('!<arch>\n'), ...parts]))
}
