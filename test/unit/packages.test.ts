/** What `bun run package` makes, with a few bytes in place of the executable: the same each time, and complete. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackTar } from 'modern-tar'
import { listParts, type Part } from '../../build/licenses.ts'
import { makeTarGz, makeZip } from '../../build/packages/archive.ts'
import { makeDeb } from '../../build/packages/deb.ts'
import type { Entry } from '../../build/packages/entries.ts'
import { makeImage } from '../../build/packages/image.ts'
import { writeSbom } from '../../build/packages/sbom.ts'
import { readLayout } from '../support/container.ts'
import { findProgram } from '../support/find-program.ts'
import { tempDir } from '../support/temp-dir.ts'

const RELEASE = { version: '1.2.3', date: new Date('2026-11-26T16:31:04Z') }
const EXECUTABLE = new TextEncoder().encode('the executable')
const UNIT = readFileSync(join(import.meta.dir, '../../data/ops/izvor.service'), 'utf8')

const makeAmd64 = () => makeDeb(EXECUTABLE, 'amd64', RELEASE)

/** The files in one archive of a package, by path. */
async function readDeb(deb: Uint8Array<ArrayBuffer>, member: string): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>()
  for (let at = 8; at < deb.length; ) {
    const head = new TextDecoder().decode(deb.subarray(at, at + 60))
    const size = Number(head.slice(48, 58))
    if (head.startsWith(`${member} `)) {
      for (const { header, data } of await unpackTar(Bun.gunzipSync(deb.slice(at + 60, at + 60 + size))))
        files.set(header.name, { path: header.name, mode: header.mode ?? 0, ...(data ? { data } : {}) })
    }
    at += 60 + size + (size % 2)
  }
  return files
}

const textOf = (files: Map<string, Entry>, path: string): string =>
  new TextDecoder().decode(files.get(path)?.data as Uint8Array)

test('a Debian package is the same bytes each time, and dpkg reads it', async () => {
  const deb = await makeAmd64()
  expect(Bun.hash(await makeAmd64())).toBe(Bun.hash(deb))
  if (findProgram('dpkg-deb') === null) return
  const path = join(tempDir(), 'izvor.deb')
  await Bun.write(path, deb)
  const { stdout } = Bun.spawnSync(['dpkg-deb', '--field', path, 'Package', 'Version', 'Architecture'])
  expect(String(stdout)).toBe('Package: izvor\nVersion: 1.2.3\nArchitecture: amd64\n')
})

test('the package has the unit, settings, a menu entry, the manual and the terms', async () => {
  const deb = await makeAmd64()
  const files = await readDeb(deb, 'data.tar.gz')
  expect(files.get('./usr/bin/izvor')).toMatchObject({ mode: 0o755, data: EXECUTABLE })
  const unit = textOf(files, './usr/lib/systemd/system/izvor.service')
  expect(unit).toContain('ExecStart=/usr/bin/izvor serve')
  expect(unit).toBe(UNIT.slice(UNIT.indexOf('[Unit]')).replaceAll('/usr/local/bin', '/usr/bin'))
  const [, data] = /^Environment=IZVOR_DATA=(.*)$/m.exec(unit) as RegExpExecArray
  expect(Bun.TOML.parse(textOf(files, './etc/izvor/izvor.toml'))).toEqual({ data })
  const entry = textOf(files, './usr/share/applications/izvor.desktop')
  for (const line of ['Exec=izvor open %f', 'Icon=izvor', 'Comment[ro]=', 'MimeType=text/csv;'])
    expect(entry).toContain(`\n${line}`)
  expect([...files.keys()]).toContain('./usr/share/icons/hicolor/scalable/apps/izvor.svg')
  const manual = Bun.gunzipSync(files.get('./usr/share/man/man1/izvor.1.gz')?.data as Uint8Array<ArrayBuffer>)
  expect(new TextDecoder().decode(manual)).toContain('.SS izvor keys mint')
  expect([...files.keys()]).toContain('./usr/share/doc/izvor/copyright')

  const control = await readDeb(deb, 'control.tar.gz')
  expect(textOf(control, './conffiles')).toBe('/etc/izvor/izvor.toml\n')
  expect(textOf(control, './control')).toMatch(/^Depends: .*libc6 \(>= 2\.34\)/m)
  for (const script of ['postinst', 'prerm', 'postrm', 'config'])
    expect(control.get(`./${script}`)?.mode).toBe(0o755)
})

const libraries: Entry[] = [{ path: 'lib64/ld-linux-x86-64.so.2', data: 'the loader', mode: 0o755 }]
const makeBoth = () =>
  makeImage(
    (['amd64', 'arm64'] as const).map((architecture) => ({
      architecture,
      executable: EXECUTABLE,
      libraries,
    })),
    'NOTICE',
    RELEASE,
  )

test('the image is the same bytes each time, for both machines, and its user has no rights', async () => {
  const tar = await makeBoth()
  expect(Bun.hash(await makeBoth())).toBe(Bun.hash(tar))
  const { platforms, config, layers, diffs, forDocker, files } = await readLayout(tar)
  expect(platforms).toEqual([
    { architecture: 'amd64', os: 'linux' },
    { architecture: 'arm64', os: 'linux' },
  ])
  expect(config).toMatchObject({
    User: '65532:65532',
    ExposedPorts: { '3000/tcp': {} },
    Volumes: { '/data': {} },
    Healthcheck: { Test: ['CMD', '/usr/local/bin/izvor', 'healthcheck'] },
  })
  const contents = layers.map((layer) => Bun.gunzipSync(layer))
  const sums = contents.map((content) => new Bun.CryptoHasher('sha256').update(content).digest('hex'))
  expect(diffs).toEqual(sums.map((sum) => `sha256:${sum}`))
  const headers = (await Promise.all(contents.map((content) => unpackTar(content)))).flat()
  const owned = headers
    .filter(({ header }) => header.uid !== 0)
    .map(({ header }) => [header.name, header.mode])
  expect(owned).toEqual([['data/', 0o700]])
  expect(
    headers.map(({ header }) => header.name).filter((name) => /(?:^|\/)(?:sh|bash|busybox)$/.test(name)),
  ).toEqual([])
  expect(forDocker.map(({ RepoTags }) => RepoTags)).toEqual([['izvor:1.2.3'], ['izvor:1.2.3-arm64']])
  for (const { Layers, Config } of forDocker)
    for (const path of [...Layers, Config]) expect(files).toContain(path)
})

test('archives are the same bytes each time and unpack to one folder, with permission to run', async () => {
  const entries: Entry[] = [
    { path: 'izvor', data: EXECUTABLE, mode: 0o755 },
    { path: 'LICENSE', data: 'terms' },
  ]
  const tar = await makeTarGz('izvor-1.2.3', entries, RELEASE)
  expect(Bun.hash(await makeTarGz('izvor-1.2.3', entries, RELEASE))).toBe(Bun.hash(tar))
  const unpacked = await unpackTar(Bun.gunzipSync(tar))
  expect(unpacked.map(({ header }) => [header.name, header.mode])).toEqual([
    ['izvor-1.2.3/LICENSE', 0o644],
    ['izvor-1.2.3/izvor', 0o755],
  ])
  expect(Bun.hash(makeZip('izvor-1.2.3', entries, RELEASE))).toBe(
    Bun.hash(makeZip('izvor-1.2.3', entries, RELEASE)),
  )
})

test('the list of parts has each part of NOTICE once, with its version and license', async () => {
  const parts = await listParts()
  const debian = [{ name: 'libc6', version: '2.36-9+deb12u14', architecture: 'amd64' }]
  const { components, dependencies, ...bom } = JSON.parse(writeSbom(parts, debian, RELEASE))
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { version: '1.2.3' } },
  })
  const refs = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(dependencies).toEqual([{ ref: 'izvor', dependsOn: refs }])
  expect(components.length).toBe(parts.length + 1)
  expect(refs).toContain('pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64')
  expect(writeSbom(parts, debian, RELEASE)).toBe(writeSbom(parts, debian, RELEASE))

  const part = (license: string): Part => ({ name: 'a', version: '1', license, text: '' })
  const { components: two } = JSON.parse(
    writeSbom([part('(MIT OR Apache-2.0)'), part('MIT and others')], [], RELEASE),
  )
  expect(two.map(({ licenses }: { licenses: unknown }) => licenses)).toEqual([
    [{ expression: '(MIT OR Apache-2.0)' }],
    [{ license: { name: 'MIT and others' } }],
  ])
})
