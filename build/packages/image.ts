/**
 * The container image as an OCI layout in a tar (OCI image specification 1.1), for `docker load` and `podman load`. It has
 * a layer of libraries and a layer of the program, no shell, and one unprivileged user.
 */

import { type Architecture, digest, type Entry, pack, packEntries, type Release } from './entries.ts'

const USER = 65_532
const PROGRAM = '/usr/local/bin/izvor'
const DATA = '/data'

/** The service listens on all addresses: within a container these are its own, and its operator decides what is public. */
const ENVIRONMENT = [
  'PATH=/usr/local/bin:/usr/bin:/bin',
  `IZVOR_DATA=${DATA}`,
  'IZVOR_HOST=0.0.0.0',
  'IZVOR_PORT=3000',
]

const SECOND = 1e9

/** In Docker's words, which Podman reads as well. */
const SETUP = {
  // As numbers: Kubernetes' runAsNonRoot cannot judge a name.
  User: `${USER}:${USER}`,
  Env: ENVIRONMENT,
  Entrypoint: [PROGRAM],
  Cmd: ['serve'],
  WorkingDir: '/etc/izvor',
  ExposedPorts: { '3000/tcp': {} },
  Volumes: { [DATA]: {} },
  StopSignal: 'SIGTERM',
  Healthcheck: {
    Test: ['CMD', PROGRAM, 'healthcheck'],
    ...{ Interval: 30 * SECOND, Timeout: 6 * SECOND, StartPeriod: 10 * SECOND },
  },
  Labels: {
    'org.opencontainers.image.title': 'Izvor',
    'org.opencontainers.image.licenses': 'Apache-2.0',
  },
}

/** The parts of the image for one architecture. */
export interface ImageParts {
  readonly architecture: Architecture
  readonly executable: Uint8Array<ArrayBuffer>
  /** See `readLibraries`. */
  readonly libraries: readonly Entry[]
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

/** @returns the bytes of `izvor-VERSION-image.tar` */
export async function makeImage(
  images: readonly ImageParts[],
  notice: string,
  release: Release,
): Promise<Uint8Array<ArrayBuffer>> {
  const blobs = new Map<string, Uint8Array<ArrayBuffer>>()
  const keep = (kind: string, bytes: Uint8Array<ArrayBuffer>): Descriptor => {
    const sha256 = digest('sha256', bytes)
    blobs.set(`blobs/sha256/${sha256}`, bytes)
    return { mediaType: `application/vnd.oci.image.${kind}`, digest: `sha256:${sha256}`, size: bytes.length }
  }
  const keepJson = (kind: string, value: unknown) => keep(`${kind}+json`, toBytes(value))

  const manifests = []
  const forDocker = []
  for (const { architecture, executable, libraries } of images) {
    const tars = await Promise.all(
      [baseLayer(libraries), programLayer(executable, notice)].map((entries) =>
        packEntries(entries, release),
      ),
    )
    const layers = tars.map((tar) => keep('layer.v1.tar+gzip', pack(tar)))
    const diffs = tars.map((tar) => `sha256:${digest('sha256', tar)}`)
    const config = keepJson('config.v1', configOf(architecture, diffs, release))
    const manifest = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config,
      layers,
    }
    manifests.push({ ...keepJson('manifest.v1', manifest), platform: { architecture, os: 'linux' } })
    forDocker.push(dockerEntry(architecture, config, layers, release))
  }
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests }
  const annotations = {
    'io.containerd.image.name': `docker.io/library/izvor:${release.version}`,
    'org.opencontainers.image.ref.name': release.version,
  }
  const top = { ...index, manifests: [{ ...keepJson('index.v1', index), annotations }] }
  return await packEntries(
    [
      { path: 'oci-layout', data: toBytes({ imageLayoutVersion: '1.0.0' }) },
      { path: 'index.json', data: toBytes(top) },
      { path: 'manifest.json', data: toBytes(forDocker) },
      ...[...blobs].map(([path, data]) => ({ path, data })),
    ],
    release,
  )
}

function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value))
}

/**
 * Docker without containerd's image store reads this older list instead of an index. A name in it means one architecture:
 * the plain name is that of amd64.
 */
function dockerEntry(
  architecture: Architecture,
  config: Descriptor,
  layers: readonly Descriptor[],
  { version }: Release,
) {
  const path = ({ digest: name }: Descriptor) => `blobs/${name.replace(':', '/')}`
  const tag = architecture === 'amd64' ? version : `${version}-${architecture}`
  return { Config: path(config), RepoTags: [`izvor:${tag}`], Layers: layers.map(path) }
}

function configOf(architecture: Architecture, diffs: readonly string[], { version, date }: Release) {
  const created = date.toISOString()
  const { Labels } = SETUP
  return {
    ...{ created, architecture, os: 'linux' },
    config: { ...SETUP, Labels: { ...Labels, 'org.opencontainers.image.version': version } },
    rootfs: { type: 'layers', diff_ids: diffs },
    history: ['libraries', 'izvor'].map((comment) => ({ created, created_by: 'bun run package', comment })),
  }
}

function baseLayer(libraries: readonly Entry[]): Entry[] {
  return [
    ...libraries,
    { path: 'etc/passwd', data: `nonroot:x:${USER}:${USER}:nonroot:/nonexistent:/sbin/nologin\n` },
    { path: 'etc/group', data: `nonroot:x:${USER}:\n` },
    { path: 'etc/nsswitch.conf', data: 'hosts: files dns\n' },
    // izvor.toml is looked for in the current folder, and may be mounted there.
    { path: 'etc/izvor' },
    { path: 'tmp', mode: 0o1777 },
    { path: DATA.slice(1), mode: 0o700, id: USER },
  ]
}

function programLayer(executable: Uint8Array<ArrayBuffer>, notice: string): Entry[] {
  return [
    { path: PROGRAM.slice(1), data: executable, mode: 0o755 },
    { path: 'usr/share/doc/izvor/NOTICE', data: notice },
  ]
}
