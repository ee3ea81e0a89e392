/** The object store over S3. Files go in parts, so that memory holds one of them; a broken download goes on where it was. */

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { CompletedPart, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import {
  type FileDigest,
  isAway,
  type ObjectStore,
  ObjectStoreError,
  type StoredObject,
} from './object-store.ts'
import type { S3Place } from './s3-address.ts'
import { type Question, S3Questions, STORE_TIMES, type StoreTimes } from './s3-questions.ts'

/** S3 takes parts from 5 MiB on, 10,000 of one object. */
const PART_BYTES = 8 << 20
const MOST_PARTS = 9000
/** Slower than this, a download is given up: bytes a millisecond. */
const LEAST_SPEED = 256
/** How often a download that breaks is taken up again. */
const RESUMPTIONS = 2
/** Before the first time; doubled for each further one. */
const PAUSE_MS = 200
const SHA256 = /^[0-9a-f]{64}$/

export class S3Store implements ObjectStore {
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

  async check(): Promise<void> {
    const what = { Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 }
    await this.#ask('a look into the bucket', (client, s3, abortSignal) =>
      client.send(new s3.ListObjectsV2Command(what), { abortSignal }),
    )
  }

  async put(key: string, path: string, expected: FileDigest): Promise<void> {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (size !== expected.bytes) throw this.#differs(path, `${size} bytes, not ${expected.bytes}`)
      await (size <= PART_BYTES ? this.#putWhole(key, file, expected) : this.#putParts(key, file, expected))
    } finally {
      await file.close()
    }
    const kept = await this.head(key)
    if (kept?.bytes !== expected.bytes)
      throw new ObjectStoreError(
        'away',
        `${this.name} did not keep ${key}: it has ${kept?.bytes ?? 0} bytes of ${expected.bytes}`,
      )
  }

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

  async head(key: string): Promise<FileDigest | undefined> {
    try {
      const found = await this.#ask(key, (client, s3, abortSignal) =>
        client.send(new s3.HeadObjectCommand(this.#at(key)), { abortSignal }),
      )
      const sha256 = found.Metadata?.sha256 ?? ''
      return { bytes: found.ContentLength ?? 0, sha256: SHA256.test(sha256) ? sha256 : '' }
    } catch (error) {
      if (error instanceof ObjectStoreError && error.trouble === 'missing') return undefined
      throw error
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const Prefix = this.#prefix + prefix
    for (let from: string | undefined; ; ) {
      const page = { Bucket: this.#bucket, Prefix, ContinuationToken: from }
      const found = await this.#ask(`the list of ${prefix}`, (client, s3, abortSignal) =>
        client.send(new s3.ListObjectsV2Command(page), { abortSignal }),
      )
      for (const { Key, Size, LastModified } of found.Contents ?? [])
        if (Key !== undefined)
          yield {
            key: Key.slice(this.#prefix.length),
            bytes: Size ?? 0,
            changedAt: LastModified ?? new Date(),
          }
      from = found.NextContinuationToken
      if (from === undefined) return
    }
  }

  async delete(key: string): Promise<void> {
    await this.#ask(key, (client, s3, abortSignal) =>
      client.send(new s3.DeleteObjectCommand(this.#at(key)), { abortSignal }),
    )
  }

  async dropUnfinished(before: Date): Promise<number> {
    const found = await this.#ask('the list of uploads', (client, s3, abortSignal) =>
      client.send(new s3.ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix }), {
        abortSignal,
      }),
    )
    const left = (found.Uploads ?? []).filter(
      ({ Initiated }) => Initiated !== undefined && Initiated < before,
    )
    for (const { Key, UploadId } of left)
      if (Key && UploadId) await this.#abandon(Key.slice(this.#prefix.length), UploadId)
    return left.length
  }

  close(): void {
    this.#questions.close()
  }

  async #putWhole(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const Body = await readPart(file, 0, expected.bytes)
    const sha256 = sha256Of(Body)
    if (sha256 !== expected.sha256) throw this.#differs(key, `SHA-256 ${sha256}, not ${expected.sha256}`)
    const object = { ...this.#at(key), Body, Metadata: { sha256 } }
    await this.#questions.ask(key, this.#times.part, (client, s3, abortSignal) =>
      client.send(signedBy(new s3.PutObjectCommand(object), sha256), { abortSignal }),
    )
  }

  async #putParts(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const begun = { ...this.#at(key), Metadata: { sha256: expected.sha256 } }
    const { UploadId = '' } = await this.#ask(key, (client, s3, abortSignal) =>
      client.send(new s3.CreateMultipartUploadCommand(begun), { abortSignal }),
    )
    try {
      const Parts = await this.#sendParts(key, UploadId, file, expected)
      const whole = { ...this.#at(key), UploadId, MultipartUpload: { Parts } }
      // The store may put the parts together before it answers.
      await this.#questions.ask(key, 2 * this.#times.part, (client, s3, abortSignal) =>
        client.send(new s3.CompleteMultipartUploadCommand(whole), { abortSignal }),
      )
    } catch (error) {
      // Where this fails, `dropUnfinished` does it.
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
    const hash = createHash('sha256')
    const parts: CompletedPart[] = []
    const length = Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS))
    for (let at = 0; at < bytes; at += length) {
      const Body = await readPart(file, at, Math.min(length, bytes - at))
      hash.update(Body)
      const PartNumber = parts.length + 1
      const sha256OfPart = sha256Of(Body)
      const part = { ...this.#at(key), UploadId, PartNumber, Body }
      const { ETag } = await this.#questions.ask(key, this.#times.part, (client, s3, abortSignal) =>
        client.send(signedBy(new s3.UploadPartCommand(part), sha256OfPart), { abortSignal }),
      )
      parts.push({ PartNumber, ...(ETag !== undefined && { ETag }) })
    }
    const found = hash.digest('hex')
    if (found !== sha256) throw this.#differs(key, `SHA-256 ${found}, not ${sha256}`)
    return parts
  }

  async #download(key: string, file: FileHandle, expected: FileDigest): Promise<void> {
    const hash = createHash('sha256')
    const end = performance.now() + 3 * this.#times.pause + expected.bytes / LEAST_SPEED
    let done = 0
    for (let left = RESUMPTIONS; ; left--) {
      try {
        for await (const piece of this.#pieces(key, done, end)) {
          if (done + piece.length > expected.bytes)
            throw this.#damaged(key, `it has more than ${expected.bytes} bytes`)
          hash.update(piece)
          await writeAll(file, piece, done)
          done += piece.length
        }
        break
      } catch (error) {
        if (!isAway(error) || left === 0 || performance.now() > end) throw error
        await Bun.sleep(PAUSE_MS * 2 ** (RESUMPTIONS - left))
      }
    }
    if (done < expected.bytes) throw this.#damaged(key, `it ends after ${done} of ${expected.bytes} bytes`)
    const sha256 = hash.digest('hex')
    if (sha256 !== expected.sha256)
      throw this.#damaged(key, `its SHA-256 is ${sha256}, not ${expected.sha256}`)
  }

  /** @param end by the monotonic clock, in milliseconds */
  #pieces(key: string, from: number, end: number): AsyncGenerator<Uint8Array> {
    const object = { ...this.#at(key), ...(from > 0 && { Range: `bytes=${from}-` }) }
    const limits = { first: this.#times.question, next: this.#times.pause, end }
    return this.#questions.read(key, limits, async (client, s3, abortSignal) => {
      const { Body } = await client.send(new s3.GetObjectCommand(object), { abortSignal })
      return Body as AsyncIterable<Uint8Array> | undefined
    })
  }

  async #abandon(key: string, UploadId: string): Promise<void> {
    await this.#ask(key, (client, s3, abortSignal) =>
      client.send(new s3.AbortMultipartUploadCommand({ ...this.#at(key), UploadId }), { abortSignal }),
    )
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

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Gives a command the digest of its body, which the store checks. The package's own would hold up requests: it computes it
 * in JavaScript, in 0.2 s for a part.
 */
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

async function writeAll(file: FileHandle, piece: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < piece.length; )
    done += (await file.write(piece, done, piece.length - done, at + done)).bytesWritten
}
