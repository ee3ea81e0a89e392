/** A byte buffer that grows while it is written. */
export class ByteSink {
  bytes: Uint8Array
  length = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(Math.max(capacity, 64))
  }

  /** Makes room for `more` bytes after `length`; call it before writing into `bytes` directly. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(needed, Math.ceil(this.bytes.length * 1.5)))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1)
    this.bytes[this.length++] = byte
  }

  append(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from)
    copyBytes(source, from, to, this.bytes, this.length)
    this.length += to - from
  }

  /** A string of char codes 0-255, one byte each. */
  appendLatin1(text: string): void {
    this.reserve(text.length)
    for (let at = 0; at < text.length; at++) this.bytes[this.length++] = text.charCodeAt(at)
  }

  take(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}

/** The memory of an outgrown array from this size on is freed at once, not when garbage is collected. */
const LARGE_BYTES = 1 << 20

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** The array with more room, zeros at its end. The array passed must not be used any more. */
export function enlarge<T extends Numbers & { buffer: ArrayBuffer }>(array: T, length: number): T {
  const { buffer, byteLength, BYTES_PER_ELEMENT: width } = array
  const make = array.constructor as new (room: number | ArrayBuffer) => T
  if (byteLength >= LARGE_BYTES) return new make(buffer.transfer(length * width))
  const grown = new make(length)
  grown.set(array)
  return grown
}

/** Frees the memory of an array at once; it must be the only one on its buffer. */
export function discard({ buffer }: { readonly buffer: ArrayBuffer }): void {
  if (buffer.byteLength >= LARGE_BYTES) buffer.transfer(0)
}

/** A plain loop beats `set` with a subarray for the short runs that dictionary entries are. */
export function copyBytes(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  at: number,
): void {
  if (to - from > 48) {
    target.set(source.subarray(from, to), at)
    return
  }
  for (let i = from, o = at; i < to; i++, o++) target[o] = source[i]!
}
