/** A standard stream whose output is complete before the program ends, however slow the reader. */

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

  /** An error other than a closed reader, usually a full disk. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Whether the reader closed the stream before the end. */
  get readerGone(): boolean {
    return this.#readerGone
  }

  /** Queues a text or bytes for the reader. Without a reader they are dropped. */
  write(data: string | Uint8Array): void {
    if (data.length === 0 || this.#readerGone) return
    this.#unsent++
    // Each write counts by its own callback: Bun calls that of an empty last write while others still wait.
    this.#stream.write(data, (error) => {
      this.#unsent--
      if (error) this.#note(error)
      if (this.#unsent > 0) return
      for (const resume of this.#waiting.splice(0)) resume()
    })
  }

  /** Fulfils when everything written so far is with the reader. */
  async drained(): Promise<void> {
    if (this.#unsent > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** A reader may close early (`izvor … | head`), which is not a failure. */
  #note(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') this.#readerGone = true
    else this.#failure ??= error
  }
}
