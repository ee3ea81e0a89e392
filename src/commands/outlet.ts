/** One of the standard streams: what is written to it leaves before the program ends, whoever reads it and how slowly. */

export class Outlet {
  readonly #stream: NodeJS.WritableStream
  #unsent = 0
  #readerGone = false
  #failure: Error | null = null
  #waiting: (() => void)[] = []

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
    stream.on('error', (error) => this.#note(error))
  }

  /** What the stream refused other than for want of a reader: a full disk, above all. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Whether the reader left before the end. */
  get readerGone(): boolean {
    return this.#readerGone
  }

  /** Hands a text or bytes over; they leave when the reader takes them. Without a reader they go nowhere. */
  write(data: string | Uint8Array): void {
    if (data.length === 0 || this.#readerGone) return
    this.#unsent++
    // The callback of each write is what tells: Bun calls that of an empty write at the end while others still wait.
    this.#stream.write(data, (error) => {
      this.#unsent--
      if (error) this.#note(error)
      if (this.#unsent > 0) return
      for (const resume of this.#waiting.splice(0)) resume()
    })
  }

  /** Fulfils when everything written so far has left. */
  async drained(): Promise<void> {
    if (this.#unsent > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** A reader may leave early (`izvor … | head`); that is its right and no failure of ours. */
  #note(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') this.#readerGone = true
    else this.#failure ??= error
  }
}
