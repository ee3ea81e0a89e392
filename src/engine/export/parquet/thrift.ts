/** Writes Apache Thrift's compact protocol, as far as Parquet's metadata needs it. */

import { ByteSink } from '../../columns/byte-sink.ts'

const TYPE = { true: 1, false: 2, i8: 3, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const

/** Types of the elements of a list. */
export type ElementType = 'i32' | 'binary' | 'struct'

/** Lists of this length or more have their length after the byte of their type. */
const SHORT_LIST = 15

/** Writes structs field by field, in ascending order of ids. Whole numbers must not be negative. */
export class ThriftWriter {
  readonly sink: ByteSink
  #last = 0

  constructor(sink = new ByteSink(256)) {
    this.sink = sink
  }

  /** A struct outside of any other, or an element of a list. */
  struct(write: () => void): void {
    const outer = this.#last
    this.#last = 0
    write()
    this.sink.push(0)
    this.#last = outer
  }

  structField(id: number, write: () => void = () => {}): void {
    this.#field(id, TYPE.struct)
    this.struct(write)
  }

  bool(id: number, value: boolean): void {
    this.#field(id, value ? TYPE.true : TYPE.false)
  }

  i8(id: number, value: number): void {
    this.#field(id, TYPE.i8)
    this.sink.push(value)
  }

  i32(id: number, value: number): void {
    this.#field(id, TYPE.i32)
    this.zigzag(value)
  }

  i64(id: number, value: number): void {
    this.#field(id, TYPE.i64)
    this.zigzag(value)
  }

  binary(id: number, value: Uint8Array | string): void {
    this.#field(id, TYPE.binary)
    this.bytes(value)
  }

  /** The elements follow: `zigzag`, `bytes` or `struct`. */
  list(id: number, type: ElementType, length: number): void {
    this.#field(id, TYPE.list)
    if (length < SHORT_LIST) this.sink.push((length << 4) | TYPE[type])
    else {
      this.sink.push((SHORT_LIST << 4) | TYPE[type])
      appendVarint(this.sink, length)
    }
  }

  zigzag(value: number): void {
    appendVarint(this.sink, value * 2)
  }

  bytes(value: Uint8Array | string): void {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    appendVarint(this.sink, bytes.length)
    this.sink.append(bytes, 0, bytes.length)
  }

  #field(id: number, type: number): void {
    this.sink.push(((id - this.#last) << 4) | type)
    this.#last = id
  }
}

/** ULEB128. @param value not negative, at most 2^53 */
export function appendVarint(sink: ByteSink, value: number): void {
  let rest = value
  while (rest >= 0x80) {
    sink.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  sink.push(rest)
}
