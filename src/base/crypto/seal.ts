/** Sealing of secrets in a place that others can read: AES-256-GCM, with a key derived from a passphrase by scrypt. */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives the key of a passphrase for a purpose. Takes some 50 ms. */
export function sealingKey(passphrase: string, purpose: string): Buffer {
  return scryptSync(passphrase, purpose, 32)
}

/** @param name of the sealed text: it does not open under another name */
export function seal(key: Buffer, name: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()])
}

/** @returns the text; undefined if it was sealed with another key or name, or was changed since */
export function unseal(key: Buffer, name: string, sealed: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed)
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
