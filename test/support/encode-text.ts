/** Writes a text in any encoding that the ingest reads; the platform itself only writes UTF-8 and UTF-16. */

/** @throws when the encoding does not have a character */
export function encodeText(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding.startsWith('utf-16')) return encodeUnits(text, encoding === 'utf-16le')
  if (encoding.startsWith('utf-32')) return encodePoints(text, encoding === 'utf-32le')
  const alphabet = new TextDecoder(encoding as Bun.Encoding).decode(
    Uint8Array.from({ length: 256 }, (_, i) => i),
  )
  return Uint8Array.from(text, (character) => {
    const byte = alphabet.indexOf(character)
    if (byte < 0) throw new Error(`${encoding} has no ${character}`)
    return byte
  })
}

function encodeUnits(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

function encodePoints(text: string, littleEndian: boolean): Uint8Array {
  const points = Array.from(text, (character) => character.codePointAt(0) as number)
  const view = new DataView(new ArrayBuffer(points.length * 4))
  for (const [i, point] of points.entries()) view.setUint32(i * 4, point, littleEndian)
  return new Uint8Array(view.buffer)
}
