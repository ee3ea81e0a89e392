/** Sealing of what lies in a place that others can read: AES-256-GCM, with a key made of a passphrase by scrypt. */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The key that belongs to a passphrase and a purpose. It takes some 50 ms. */
export function sealingKey(passphrase: string, purpose: string): Buffer {
  return scryptSync(passphrase, purpose, 32)
}

/** @param name of what is sealed: under another one it does not open */
export function seal(key: Buffer, name: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()])
}

/** The text; undefined for what was sealed with another key or under another name, or was changed since. */
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
