/** The object store over S3. Files are sent in parts, of which memory holds one; a broken download is resumed. */

import { createHash, hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { CompletedPart, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { closingLater } from '../../base/closing.ts'
import type { FileDigest } from '../files/remote-files.ts'
import {
  isAway,
  ObjectStoreError,
  type Question,
  type S3Place,
  S3Questions,
  STORE_TIMES,
  type StoreTimes,
} from './s3-questions.ts'

/** S3 accepts parts from 5 MiB on, at most 10,000 for an object. */
const PART_BYTES = 8 << 20
const MOST_PARTS = 9000
/** How often a broken download is resumed. */
const RESUMPTIONS = 2

/** A store of objects that nodes share: whole files under keys, checked by size and SHA-256 in both directions. */
export type ObjectStore = Pick<S3Store, keyof S3Store>

/** All calls end within a bounded time. They throw `ObjectStoreError`, or the system's error for a local file. */
export class S3Store {
  /** For people: `s3://bucket/prefix`. */
  readonly name: string
  readonly #bucket: string
  readonly #prefix: string
  readonly #times: StoreTimes
  readonly #questions: S3Questions

  constructor(place: S3Place, times: StoreTimes = STORE_TIMES) {
    const { bucket, prefix } = place
    this.name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`
    this.#bucket = bucket
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.#times = times
    this.#questions = new S3Questions(place, this.name)
  }

  /** Checks with one request that the bucket exists and the credentials are right. */
  async check(): Promise<void> {
    const what = { Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 }
    await this.#ask('a look into the bucket', (s3) => new s3.ListObjectsV2Command(what))
  }

  /**
   * Stores a file as an object. Until it is complete, the key has the former object or none.
   * @throws ObjectStoreError `damaged` when the file does not match `expected`
   */
  async put(key: string, path: string, expected: FileDigest): Promise<void> {
    await using file = closingLater(await open(path, 'r'))
    const { size } = await file.stat()
    if (size !== expected.bytes) throw this.#differs(path, `${size} bytes, not ${expected.bytes}`)
    await (size <= PART_BYTES ? this.#putWhole(key, file, expected) : this.#putParts(key, file, expected))
    const kept = await this.head(key)
    if (kept?.bytes !== expected.bytes)
      throw new ObjectStoreError(
        'away',
        `${this.name} did not keep ${key}: it has ${kept?.bytes ?? 0} bytes of ${expected.bytes}`,
      )
  }

  /**
   * Writes an object to a new file, whole and synced to the disk; leaves no file when it fails.
   * @param expected left out: the digest in the object's own metadata
   * @throws ObjectStoreError `missing`; `damaged` when the object does not match
   */
  async get(key: string, path: string, expected?: FileDigest): Promise<FileDigest> {
    const digest = expected ?? (await this.head(key))
    if (digest === undefined) throw new ObjectStoreError('missing', `${this.name} has no object ${key}`)
    const file = await open(path, 'wx', 0o600)
    try {
      await this.#download(key, file, digest)
      await file.sync()
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return digest
  }

  /** The digest in an object's own metadata; undefined when there is no object. */
  async head(key: string): Promise<FileDigest | undefined> {
    try {
      const found = await this.#ask(key, (s3) => new s3.HeadObjectCommand(this.#at(key)))
      const sha256 = found.Metadata?.sha256 ?? ''
      return { bytes: found.ContentLength ?? 0, sha256: /^[0-9a-f]{64}$/.test(sha256) ? sha256 : '' }
    } catch (error) {
      if (error instanceof ObjectStoreError && error.trouble === 'missing') return undefined
      throw error
    }
  }

  /** In the order of the keys, read in pages. `changedAt`: by the clock of the store. */
  async *list(prefix: string) {
    const Prefix = this.#prefix + prefix
    for (let from: string | undefined; ; ) {
      const page = { Bucket: this.#bucket, Prefix, ContinuationToken: from }
      const found = await this.#ask(`the list of ${prefix}`, (s3) => new s3.ListObjectsV2Command(page))
      for (const { Key, Size: bytes = 0, LastModified: changedAt = new Date() } of found.Contents ?? [])
        if (Key !== undefined) yield { key: Key.slice(this.#prefix.length), bytes, changedAt }
      from = found.NextContinuationToken
      if (from === undefined) return
    }
  }

  /** Does nothing when there is none. */
  async delete(key: string): Promise<void> {
    await this.#ask(key, (s3) => new s3.DeleteObjectCommand(this.#at(key)))
  }

  /** Ends abandoned uploads from before a moment, which take space that no list shows. @returns how many */
  async dropUnfinished(before: Date): Promise<number> {
    const what = { Bucket: this.#bucket, Prefix: this.#prefix }
    const found = await this.#ask('the list of uploads', (s3) => new s3.ListMultipartUploadsCommand(what))
    const left = (found.Uploads ?? []).filter(({ Initiated }) => Initiated && Initiated < before)
    for (const { Key, UploadId } of left)
      if (Key && UploadId) await this.#abandon(Key.slice(this.#prefix.length), UploadId)
    return left.length
  }

  close(): void {
    this.#questions.close()
  }

  async #putWhole(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const Body = await readPart(file, 0, expected.bytes)
    const sha256 = hash('sha256', Body)
    if (sha256 !== expected.sha256) throw this.#differs(key, `SHA-256 ${sha256}, not ${expected.sha256}`)
    const object = { ...this.#at(key), Body, Metadata: { sha256 } }
    const { part } = this.#times
    await this.#questions.ask(key, part, (s3) => signedBy(new s3.PutObjectCommand(object), sha256))
  }

  async #putParts(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const begun = { ...this.#at(key), Metadata: { sha256: expected.sha256 } }
    const { UploadId = '' } = await this.#ask(key, (s3) => new s3.CreateMultipartUploadCommand(begun))
    try {
      const Parts = await this.#sendParts(key, UploadId, file, expected)
      const whole = { ...this.#at(key), UploadId, MultipartUpload: { Parts } }
      // The store may put the parts together before it answers.
      const limit = 2 * this.#times.part
      await this.#questions.ask(key, limit, (s3) => new s3.CompleteMultipartUploadCommand(whole))
    } catch (error) {
      // If this fails, `dropUnfinished` does it later.
      void this.#abandon(key, UploadId).catch(() => {})
      throw error
    }
  }

  async #sendParts(
    key: string,
    UploadId: string,
    file: FileHandle,
    { bytes, sha256 }: FileDigest,
  ): Promise<CompletedPart[]> {
    const whole = createHash('sha256')
    const parts: CompletedPart[] = []
    const length = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS))
    for (let at = 0; at < bytes; at += length) {
      const Body = await readPart(file, at, Math.min(length, bytes - at))
      whole.update(Body)
      const PartNumber = parts.length + 1
      const sha256OfPart = hash('sha256', Body)
      const part = { ...this.#at(key), UploadId, PartNumber, Body }
      const { ETag } = await this.#questions.ask(key, this.#times.part, (s3) =>
        signedBy(new s3.UploadPartCommand(part), sha256OfPart),
      )
      parts.push({ PartNumber, ...(ETag !== undefined && { ETag }) })
    }
    const found = whole.digest('hex')
    if (found !== sha256) throw this.#differs(key, `SHA-256 ${found}, not ${sha256}`)
    return parts
  }

  async #download(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const whole = createHash('sha256')
    // A download slower than 256 bytes a millisecond is given up.
    const end = performance.now() + 3 * this.#times.pause + expected.bytes / 256
    let done = 0
    for (let left = RESUMPTIONS; ; left--) {
      try {
        const object = { ...this.#at(key), ...(done > 0 && { Range: `bytes=${done}-` }) }
        const limits = { first: this.#times.question, next: this.#times.pause, end }
        const pieces = this.#questions.read(key, limits, (s3) => new s3.GetObjectCommand(object))
        for await (const piece of pieces) {
          if (done + piece.length > expected.bytes)
            throw this.#damaged(key, `it has more than ${expected.bytes} bytes`)
          whole.update(piece)
          for (let at = 0; at < piece.length; )
            at += (await file.write(piece, at, piece.length - at, done + at)).bytesWritten
          done += piece.length
        }
        break
      } catch (error) {
        if (!isAway(error) || left === 0 || performance.now() > end) throw error
        await Bun.sleep(200 * 2 ** (RESUMPTIONS - left))
      }
    }
    if (done < expected.bytes) throw this.#damaged(key, `it ends after ${done} of ${expected.bytes} bytes`)
    const sha256 = whole.digest('hex')
    if (sha256 !== expected.sha256)
      throw this.#damaged(key, `its SHA-256 is ${sha256}, not ${expected.sha256}`)
  }

  async #abandon(key: string, UploadId: string): Promise<void> {
    const upload = { ...this.#at(key), UploadId }
    await this.#ask(key, (s3) => new s3.AbortMultipartUploadCommand(upload))
  }

  #ask<T>(what: string, question: Question<T>): Promise<T> {
    return this.#questions.ask(what, this.#times.question, question)
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key }
  }

  #damaged(key: string, what: string): ObjectStoreError {
    return new ObjectStoreError('damaged', `the object ${key} of ${this.name} is damaged: ${what}`)
  }

  #differs(what: string, how: string): ObjectStoreError {
    return new ObjectStoreError('damaged', `${what} was to be kept in ${this.name}, but has ${how}`)
  }
}

/** Sets the digest of the body, which the store checks. The package computes it in JavaScript, 0.2 s for a part. */
function signedBy<Command extends PutObjectCommand | UploadPartCommand>(
  command: Command,
  sha256: string,
): Command {
  const { middlewareStack } = command as PutObjectCommand
  middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build' },
  )
  return command
}

async function readPart(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const part = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(part, done, length - done, from + done)
    if (bytesRead === 0) throw new Error('a file became shorter while it was sent')
    done += bytesRead
  }
  return part
}
