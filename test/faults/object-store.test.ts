/** The object store over S3, against a real server that gets killed and frozen. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { SETTINGS } from '../../src/base/config/config.ts'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import type { FileDigest } from '../../src/store/files/remote-files.ts'
import { ObjectStoreError, readS3Place } from '../../src/store/objects/s3-questions.ts'
import { hasObjectStore, SHORT_TIMES, STORE_CREDENTIALS, startObjectStore } from '../support/object-store.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(60_000)

const MEGABYTE = 1 << 20

function randomFile(folder: string, bytes: number): { path: string; digest: FileDigest } {
  const content = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))
  const whole = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += content.length) {
    content[0] = (content[0]! + 1) % 256
    whole.set(content.subarray(0, Math.min(content.length, bytes - at)), at)
  }
  const path = join(folder, `file-${bytes}-${Math.random()}`)
  writeFileSync(path, whole)
  return { path, digest: { bytes, sha256: createHash('sha256').update(whole).digest('hex') } }
}

async function troubleOf(work: Promise<unknown>): Promise<ObjectStoreError['trouble'] | 'none'> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof ObjectStoreError) return error.trouble
    throw error
  }
}

/** What `get` left behind: the complete file or nothing. */
function isWholeOrNothing(path: string, digest: FileDigest): boolean {
  return !existsSync(path) || sha256File(path).sha256 === digest.sha256
}

describe.skipIf(!hasObjectStore)('the object store', () => {
  test('files come back unchanged, in one part or several', async () => {
    const store = (await startObjectStore()).client()
    const folder = tempDir()
    const sizes = fc.oneof(
      fc.constantFrom(0, 1, 8 * MEGABYTE, 8 * MEGABYTE + 1, 16 * MEGABYTE),
      fc.integer({ min: 0, max: 20 * MEGABYTE }),
    )
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.stringMatching(/^[a-z0-9]{1,8}(\/[a-z0-9][a-z0-9.-]{0,8}){0,2}$/),
        async (bytes, name) => {
          const key = `k/${name}/x`
          const { path, digest } = randomFile(folder, bytes)
          await store.put(key, path, digest)
          expect(await store.head(key)).toEqual(digest)
          expect(await store.get(key, `${path}.back`)).toEqual(digest)
          expect(sha256File(`${path}.back`)).toEqual(digest)
          expect((await Array.fromAsync(store.list(key))).map((one) => one.bytes)).toEqual([bytes])
          await store.delete(key)
          await store.delete(key)
          expect(await store.head(key)).toBeUndefined()
        },
      ),
      { numRuns: 20 },
    )
  })

  test('a list is complete beyond one page, and contains only its prefix', async () => {
    const server = await startObjectStore()
    const store = server.client()
    const { path, digest } = randomFile(tempDir(), 3)
    for (let first = 0; first < 1005; first += 15)
      await Promise.all(Array.from({ length: 15 }, (_, i) => store.put(`many/${first + i}`, path, digest)))
    await store.put('other/1', path, digest)
    const keys = (await Array.fromAsync(store.list('many/'))).map(({ key }) => key)
    expect(new Set(keys).size).toBe(1005)
    expect(keys.every((key) => key.startsWith('many/'))).toBe(true)
  })

  test('wrong credentials, a missing bucket and an address without a server give different errors', async () => {
    const server = await startObjectStore()
    const secret = { ...STORE_CREDENTIALS, AWS_SECRET_ACCESS_KEY: 'wrong' }
    const unknown = { ...STORE_CREDENTIALS, AWS_ACCESS_KEY_ID: 'nobody' }
    const { path, digest } = randomFile(tempDir(), 100)
    for (const credentials of [secret, unknown]) {
      const store = server.client({ credentials })
      expect(await troubleOf(store.check())).toBe('refused')
      expect(await troubleOf(store.put('key', path, digest))).toBe('refused')
    }
    const elsewhere = server.client({ bucket: 'no-such-bucket' })
    expect(elsewhere.check()).rejects.toThrow(/s3:\/\/no-such-bucket\/izvor.*NoSuchBucket/)
    expect(await troubleOf(elsewhere.check())).toBe('refused')
    const store = server.client()
    await store.check()
    expect(await troubleOf(store.get('nothing', join(tempDir(), 'file'), digest))).toBe('missing')
    await server.kill()
    expect(await troubleOf(store.check())).toBe('away')
    await server.start()
    await store.check()
  })

  test('an invalid address, endpoint or credential is refused before any request', () => {
    const read = (address: string, environment: Record<string, string> = STORE_CREDENTIALS) =>
      readS3Place(address, null, environment)
    expect(read('s3://bucket/a/b')).toMatchObject({ bucket: 'bucket', prefix: 'a/b', region: 'us-east-1' })
    expect(read('s3://bucket', { ...STORE_CREDENTIALS, AWS_REGION: 'eu-west-3' }).region).toBe('eu-west-3')
    const { object_store, object_store_endpoint } = SETTINGS
    for (const address of ['', 'bucket', 's3://', 's3://B', 's3://bucket/a b', 'https://bucket'])
      expect(object_store.kind.parse(address)).toBeUndefined()
    expect(object_store_endpoint.kind.parse('minio:9000')).toBeUndefined()
    expect(() => read('s3://bucket', {})).toThrow(/AWS_ACCESS_KEY_ID/)
  })

  test('a file that differs from its announced digest or size is not kept', async () => {
    const store = (await startObjectStore()).client()
    const folder = tempDir()
    for (const bytes of [1000, 9 * MEGABYTE]) {
      const { path, digest } = randomFile(folder, bytes)
      expect(await troubleOf(store.put('key', path, { bytes, sha256: 'ab'.repeat(32) }))).toBe('damaged')
      expect(await troubleOf(store.put('key', path, { ...digest, bytes: bytes + 1 }))).toBe('damaged')
      expect(await store.head('key')).toBeUndefined()
    }
  })

  test('an object that was changed or truncated in the store counts as damaged, and leaves no file', async () => {
    const server = await startObjectStore()
    const store = server.client()
    const folder = tempDir()
    const { path, digest } = randomFile(folder, 100_000)
    await store.put('key', path, digest)
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer())
    bytes[50_000]! ^= 1
    await Bun.write(server.fileOf('key'), bytes)
    expect(await troubleOf(store.get('key', join(folder, 'one'), digest))).toBe('damaged')
    truncateSync(server.fileOf('key'), 50_000)
    expect(await troubleOf(store.get('key', join(folder, 'two'), digest))).toBe('damaged')
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('a frozen server is given up on in bounded time, and no partial transfer counts as complete', async () => {
    const server = await startObjectStore()
    const store = server.client({ times: SHORT_TIMES })
    const folder = tempDir()
    const { path, digest } = randomFile(folder, 40 * MEGABYTE)
    await store.put('whole', path, digest)
    for (const delay of [0, 15]) {
      const begun = performance.now()
      const put = troubleOf(store.put(`put-${delay}`, path, digest))
      const got = join(folder, `got-${delay}`)
      const get = troubleOf(store.get('whole', got, digest))
      await Bun.sleep(delay)
      server.freeze()
      expect(await put).toBe('away')
      expect(['away', 'none']).toContain(await get)
      expect(await troubleOf(store.head('whole'))).toBe('away')
      expect(performance.now() - begun).toBeLessThan(30_000)
      expect(isWholeOrNothing(got, digest)).toBe(true)
      server.thaw()
      expect((await store.head(`put-${delay}`)) ?? digest).toEqual(digest)
    }
    await store.put('put-0', path, digest)
  })

  test('a server killed during a transfer leaves only complete files and complete objects', async () => {
    const server = await startObjectStore()
    const store = server.client()
    const folder = tempDir()
    const { path, digest } = randomFile(folder, 40 * MEGABYTE)
    await store.put('whole', path, digest)
    for (const [number, delay] of [0, 15, 40, 80, 150].entries()) {
      const got = join(folder, `got-${number}`)
      const work = [
        troubleOf(store.put(`put-${number}`, path, digest)),
        troubleOf(store.get('whole', got, digest)),
      ]
      await Bun.sleep(delay)
      await server.kill()
      for (const trouble of await Promise.all(work)) expect(['away', 'none']).toContain(trouble)
      expect(isWholeOrNothing(got, digest)).toBe(true)
      await server.start()
      if ((await store.head(`put-${number}`)) !== undefined)
        expect(await store.get(`put-${number}`, `${got}-back`)).toEqual(digest)
    }
  })

  test('a download continues where it stopped when the server was killed', async () => {
    const server = await startObjectStore()
    const store = server.client()
    const folder = tempDir()
    const { path, digest } = randomFile(folder, 60 * MEGABYTE)
    await store.put('whole', path, digest)
    // On a busy machine the server may start after the download has stopped waiting.
    let trouble = 'away'
    for (let attempt = 0; trouble === 'away' && attempt < 5; attempt++) {
      const get = troubleOf(store.get('whole', join(folder, 'got'), digest))
      await Bun.sleep(20)
      await server.kill()
      await server.start()
      trouble = await get
    }
    expect(trouble).toBe('none')
    expect(sha256File(join(folder, 'got'))).toEqual(digest)
  })

  test('abandoned uploads are dropped once they are old', async () => {
    const server = await startObjectStore()
    const store = server.client()
    const { path, digest } = randomFile(tempDir(), 40 * MEGABYTE)
    const put = troubleOf(store.put('key', path, digest))
    await Bun.sleep(15)
    await server.kill()
    const trouble = await put
    await server.start()
    expect(await store.dropUnfinished(new Date(Date.now() - 3_600_000))).toBe(0)
    expect(await store.dropUnfinished(new Date(Date.now() + 60_000))).toBeLessThanOrEqual(1)
    expect(await store.dropUnfinished(new Date(Date.now() + 60_000))).toBe(0)
    expect(['away', 'none']).toContain(trouble)
  })
})
