/** Numbers pairs of numbers, so that a key of several columns becomes one number per distinct key. */

const FIRST_SLOTS = 1024

export class IdPairs {
  private count = 0
  private mask = FIRST_SLOTS - 1
  /** Per slot: both numbers and the pair's own, 0 when free. */
  private slots = new Uint32Array(FIRST_SLOTS * 3)

  /** The number, from 1, of a pair; the same one each time. */
  idOf(a: number, b: number): number {
    const slot = this.find(a, b)
    const { slots } = this
    const known = slots[slot + 2] as number
    if (known !== 0) return known
    slots[slot] = a
    slots[slot + 1] = b
    slots[slot + 2] = ++this.count
    if (this.count * 2 > this.mask) this.grow()
    return this.count
  }

  /** The number of a pair that has one; else 0. */
  knownId(a: number, b: number): number {
    return this.slots[this.find(a, b) + 2] as number
  }

  private find(a: number, b: number): number {
    const { slots, mask } = this
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
    let at = (hash ^ (hash >>> 13)) & mask
    while (slots[at * 3 + 2] !== 0 && (slots[at * 3] !== a || slots[at * 3 + 1] !== b)) at = (at + 1) & mask
    return at * 3
  }

  private grow(): void {
    const old = this.slots
    this.mask = this.mask * 2 + 1
    this.slots = new Uint32Array((this.mask + 1) * 3)
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] !== 0)
        this.slots.set(old.subarray(at, at + 3), this.find(old[at] as number, old[at + 1] as number))
    }
  }
}
