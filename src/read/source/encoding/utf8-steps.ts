/** UTF-8 one byte at a time (RFC 3629, which leaves out surrogates, overlong forms and what is beyond U+10FFFF). */

export class Utf8Steps {
  /** Whole characters of several bytes, and bytes that belong to none, so far. */
  valid = 0
  wrong = 0
  #expected = 0
  #started = 0
  #least = 0x80
  #most = 0xbf

  /** A character has begun and needs more bytes. */
  get isOpen(): boolean {
    return this.#expected > 0
  }

  /** @returns how many bytes, the current one included, turned out to belong to no character */
  take(byte: number): number {
    const { wrong } = this,
      expected = this.#expected,
      started = this.#started,
      least = this.#least,
      most = this.#most
    if (expected > 0 && byte >= least && byte <= most) {
      this.#started++
      this.#least = 0x80
      this.#most = 0xbf
      if (--this.#expected === 0) this.valid++
      return 0
    }
    if (expected > 0) this.wrong += started
    this.#expected = byte >= 0xc2 && byte < 0xf5 ? (byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1) : 0
    this.#started = 1
    this.#least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
    this.#most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    if (this.#expected === 0 && byte >= 0x80) this.wrong++
    return this.wrong - wrong
  }

  /** The bytes end here. @returns as `take` */
  finish(): number {
    const left = this.#expected > 0 ? this.#started : 0
    this.wrong += left
    this.#expected = 0
    return left
  }
}
