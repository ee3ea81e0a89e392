/** Allocation inside one WebAssembly memory: at most 4 GiB, addressed by unsigned 32-bit pointers, never shrinking. */

/** Bytes that a kept result takes besides its region and its key (two bytes a character at worst): the objects. */
const ENTRY_OVERHEAD = 200

/** A kept region. It stays in memory while it has users, even after its eviction; each user disposes of it once. */
export interface Kept extends Disposable {
  /** Address of the region; 0 when the result needs none. */
  readonly at: number
  readonly count: number
  readonly key: string
  readonly bytes: number
  users: number
}

/** Results worth keeping (orders, masks with their totals), least recently used ones evicted first. */
export class KeptRegions {
  readonly #regions: Regions
  readonly #mostBytes: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(regions: Regions, mostBytes: number) {
    this.#regions = regions
    this.#mostBytes = mostBytes
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  /** The result, in use until the caller disposes of it. */
  use(key: string): Kept | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users++
    return kept
  }

  /** Takes over the region at `at`; the result is in use. */
  keep(key: string, at: number, bytes: number, count: number): Kept {
    const regions = this.#regions
    const kept: Kept = {
      at,
      count,
      key,
      bytes: bytes + key.length * 2 + ENTRY_OVERHEAD,
      // This table and the caller.
      users: 2,
      [Symbol.dispose]() {
        if (--this.users === 0 && at !== 0) regions.release(at)
      },
    }
    this.#kept.set(key, kept)
    this.#bytes += kept.bytes
    while (this.#bytes > this.#mostBytes && this.#kept.size > 1) this.giveUpOldest()
    return kept
  }

  /** Evicts the least recently used result; false when there is none. */
  giveUpOldest(): boolean {
    const oldest = this.#kept.values().next().value
    if (!oldest) return false
    this.#kept.delete(oldest.key)
    this.#bytes -= oldest.bytes
    oldest[Symbol.dispose]()
    return true
  }
}

const PAGE = 65536
/** The last page stays unused, so that no region's end wraps around to zero. */
const MOST_PAGES = 65535
/** Memory grows in steps, because each growth detaches every view. */
const GROWTH_PAGES = 16
const ALIGNMENT = 64
/** The kernel reads and writes 16 bytes at a time and may touch this many bytes after a region. */
const SLACK = 64

interface FreeBlock {
  at: number
  size: number
}

/** Bytes that a region of `bytes` bytes takes up. */
export function regionSize(bytes: number): number {
  return Math.ceil((bytes + SLACK) / ALIGNMENT) * ALIGNMENT
}

/** Thrown when 4 GiB are not enough. */
export class MemoryFullError extends Error {
  constructor(bytes: number) {
    super(`no room for ${bytes} more bytes in the 4 GiB that one dataset may take`)
    this.name = 'MemoryFullError'
  }
}

/** Thrown when the process may take no more memory and no kept result can be evicted. */
export class MemoryRefusedError extends Error {
  constructor(bytes: number) {
    super(`no room for ${bytes} more bytes in the memory that the process may take`)
    this.name = 'MemoryRefusedError'
  }
}

/** Called before memory grows by this many bytes: whether the process may take them. */
export type MayGrow = (bytes: number) => boolean

/**
 * First fit over a list of free blocks. Regions that stay until the dataset is closed are taken from the end of the
 * memory, others from the first block they fit into, so that gaps between these keep their size.
 */
export class Regions {
  /** Shared with the threads of the kernel. */
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES + 1, shared: true })
  readonly #makeRoom: () => boolean
  readonly #mayGrow: MayGrow
  readonly #sizes = new Map<number, number>()
  /** By address; address 0 belongs to no region and can mean "none". */
  readonly #free: FreeBlock[] = [{ at: ALIGNMENT, size: PAGE - ALIGNMENT }]
  #bytes = new Uint8Array(this.memory.buffer)
  #words = new Uint32Array(this.memory.buffer)

  /** @param makeRoom is called when the memory is full or may not grow; returns whether it released regions */
  constructor(makeRoom: () => boolean, mayGrow: MayGrow) {
    this.#makeRoom = makeRoom
    this.#mayGrow = mayGrow
  }

  /** The whole memory. Read it again after anything that may allocate: growing detaches views. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = new Uint8Array(this.memory.buffer)
    return this.#bytes
  }

  get words(): Uint32Array {
    if (this.#words.buffer !== this.memory.buffer) this.#words = new Uint32Array(this.memory.buffer)
    return this.#words
  }

  get bytesFree(): number {
    return this.#free.reduce((sum, block) => sum + block.size, 0)
  }

  /**
   * The address of a region of `bytes` bytes with any content, to be given back with `release`.
   * @throws MemoryFullError, MemoryRefusedError
   */
  allocate(bytes: number): number {
    return this.#allocate(bytes, this.#mayGrow)
  }

  /**
   * As `allocate`, without the check of the process's memory: for work that cannot be refused any more.
   * @throws MemoryFullError
   */
  allocateAnyway(bytes: number): number {
    return this.#allocate(bytes, () => true)
  }

  /**
   * The address of a region for as long as the dataset is open.
   * @throws MemoryFullError, MemoryRefusedError
   */
  allocateForGood(bytes: number): number {
    const size = regionSize(bytes)
    const last = this.#free.at(-1)
    const atEnd = last && last.at + last.size === this.memory.buffer.byteLength && last.size >= size
    return this.#take(atEnd ? last : this.#extend(size, this.#mayGrow), size)
  }

  release(at: number): void {
    const size = this.#sizes.get(at)
    if (size === undefined) throw new Error(`no region at ${at}`)
    this.#sizes.delete(at)
    this.#addFree(at, size)
  }

  #allocate(bytes: number, mayGrow: MayGrow): number {
    const size = regionSize(bytes)
    const block = this.#free.find((candidate) => candidate.size >= size) ?? this.#extend(size, mayGrow)
    return this.#take(block, size)
  }

  #take(block: FreeBlock, size: number): number {
    const at = block.at
    block.at += size
    block.size -= size
    if (block.size === 0) this.#free.splice(this.#free.indexOf(block), 1)
    this.#sizes.set(at, size)
    return at
  }

  #extend(size: number, mayGrow: MayGrow): FreeBlock {
    const end = this.memory.buffer.byteLength
    const last = this.#free.at(-1)
    const present = last && last.at + last.size === end ? last.size : 0
    const left = MOST_PAGES - end / PAGE
    const needed = Math.ceil((size - present) / PAGE)
    if (needed > left) return this.#findRoom(size, MemoryFullError)
    const pages = Math.min(left, Math.max(needed, GROWTH_PAGES))
    if (!mayGrow(pages * PAGE)) return this.#findRoom(size, MemoryRefusedError)
    try {
      this.memory.grow(pages)
    } catch (error) {
      if (error instanceof RangeError) return this.#findRoom(size, MemoryFullError)
      throw error
    }
    this.#addFree(end, this.memory.buffer.byteLength - end)
    return this.#free.at(-1)!
  }

  #findRoom(size: number, Failure: typeof MemoryFullError | typeof MemoryRefusedError): FreeBlock {
    for (;;) {
      const block = this.#free.find((candidate) => candidate.size >= size)
      if (block) return block
      if (!this.#makeRoom()) throw new Failure(size)
    }
  }

  #addFree(at: number, size: number): void {
    let index = 0
    while (index < this.#free.length && this.#free[index]!.at < at) index++
    const before = this.#free[index - 1]
    const after = this.#free[index]
    const joinsBefore = before && before.at + before.size === at
    const joinsAfter = after && at + size === after.at
    if (joinsBefore) {
      before.size += size
      if (!joinsAfter) return
      before.size += after.size
      this.#free.splice(index, 1)
    } else if (joinsAfter) {
      after.at = at
      after.size += size
    } else {
      this.#free.splice(index, 0, { at, size })
    }
  }
}
