/**
 * Makes the packages that people install, in dist/packages: `bun run package`, or `bun run package TARGET…` for some
 * targets. The same commit makes the same bytes. Dependencies are fetched once (`runtimes/`, `packages/base-libraries.json`).
 */

import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { readOrigin } from '../src/base/build.ts'
import { ROOT } from './entry-points.ts'
import { listParts } from './licenses.ts'
import { makeTarGz, makeZip } from './packages/archive.ts'
import { lockedLibraries, namedLibraries } from './packages/base-libraries.ts'
import { makeDeb } from './packages/deb.ts'
import { type Architecture, digest, type Entry, type Release } from './packages/entries.ts'
import { type ImageParts, makeImage } from './packages/image.ts'
import { writeSbom } from './packages/sbom.ts'
import { outputPath, TARGETS } from './targets.ts'

const PACKAGES = join(ROOT, 'dist/packages')

/** The targets that Debian and OCI have a name for. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

/** The date is that of the commit, so that the same sources make the same files; without one it is 1970. */
function readRelease(): Release {
  const { SOURCE_DATE_EPOCH: epoch } = process.env
  const { date } = readOrigin(ROOT)
  return {
    version: packageJson.version,
    date: epoch === undefined ? new Date(date ?? 0) : new Date(Number(epoch) * 1000),
  }
}

async function packageTarget(name: string, release: Release): Promise<ImageParts | null> {
  const executable = await Bun.file(outputPath(name)).bytes()
  const folder = `izvor-${release.version}-${name}`
  const texts = await Promise.all(
    ['LICENSE', 'NOTICE', 'README.md'].map(async (path): Promise<Entry> => {
      return { path, data: await Bun.file(join(ROOT, path)).bytes() }
    }),
  )
  const isWindows = name.startsWith('windows')
  const entries = [{ path: isWindows ? 'izvor.exe' : 'izvor', data: executable, mode: 0o755 }, ...texts]
  if (isWindows) await write(`${folder}.zip`, makeZip(folder, entries, release))
  else await write(`${folder}.tar.gz`, await makeTarGz(folder, entries, release))
  const architecture = ARCHITECTURES[name]
  if (architecture === undefined) return null
  await write(
    `izvor_${release.version}_${architecture}.deb`,
    await makeDeb(executable, architecture, release),
  )
  return { architecture, executable, libraries: await lockedLibraries(architecture) }
}

async function write(name: string, bytes: Uint8Array | string): Promise<void> {
  await Bun.write(join(PACKAGES, name), bytes)
  console.log(`dist/packages/${name}, ${(bytes.length / 1e6).toFixed(1)} MB`)
}

async function writeSums(): Promise<void> {
  const names = (await readdir(PACKAGES)).toSorted()
  const lines = []
  for (const name of names) {
    const bytes = await Bun.file(join(PACKAGES, name)).bytes()
    lines.push(`${digest('sha256', bytes)}  ${name}\n`)
  }
  await write('SHA256SUMS', lines.join(''))
}

const { positionals } = parseArgs({ allowPositionals: true })
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS)
const compiled = Bun.spawnSync([process.execPath, join(ROOT, 'build/compile.ts'), ...names], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (compiled.exitCode !== 0) process.exit(1)

await rm(PACKAGES, { recursive: true, force: true })
await mkdir(PACKAGES, { recursive: true })
const release = readRelease()
const images: ImageParts[] = []
for (const name of names) {
  const image = await packageTarget(name, release)
  if (image !== null) images.push(image)
}
if (images.length > 0) {
  const notice = await Bun.file(join(ROOT, 'NOTICE')).text()
  await write(`izvor-${release.version}-image.tar`, await makeImage(images, notice, release))
}
const debian = images.flatMap(({ architecture }) =>
  namedLibraries(architecture).map((part) => ({ ...part, architecture })),
)
await write(`izvor-${release.version}.cdx.json`, writeSbom(await listParts(), debian, release))
await writeSums()
