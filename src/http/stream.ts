/** Generators as response bodies. */

/** A generator with its first chunk ready, so that an earlier failure can still be answered as an error. */
export async function primed(source: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await source.next()
  return resume(first, source)
}

async function* resume(
  first: IteratorResult<Uint8Array>,
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done) return
    yield first.value
    yield* source
  } finally {
    await source.return(undefined)
  }
}

export interface StreamEnd {
  /** Called with the error that broke the stream. */
  readonly failed: (error: unknown) => void
  /** Called once when the stream is over: complete, broken, or cancelled by the client, even before the first chunk. `bytes`: sent. */
  readonly over: (bytes: number) => void
  /** Breaks the stream off when it fires. */
  readonly cut?: AbortSignal
}

/**
 * A body that asks the generator for the next chunk only when the client took the last one. A failure destroys the
 * connection: the client sees a broken transfer, never a short file that looks whole, and none of the error's text.
 */
export function streamBody(source: AsyncGenerator<Uint8Array>, end: StreamEnd): ReadableStream {
  let givenUp = false
  let bytes = 0
  let stop = () => {}
  const over = () => {
    end.cut?.removeEventListener('abort', stop)
    end.over(bytes)
  }
  return new ReadableStream(
    {
      start(controller) {
        stop = () => {
          givenUp = true
          const reason = new Error('what is read was taken down')
          end.failed(reason)
          controller.error(reason)
          void source.return(undefined)
          over()
        }
        end.cut?.addEventListener('abort', stop)
        if (end.cut?.aborted) stop()
      },
      async pull(controller) {
        try {
          const { done, value } = await source.next()
          if (givenUp) return
          if (!done) {
            controller.enqueue(value)
            bytes += value.length
            return
          }
          controller.close()
        } catch (error) {
          if (givenUp) return
          end.failed(error)
          controller.error(new Error('the stream was cut off'))
        }
        over()
      },
      async cancel() {
        givenUp = true
        await source.return(undefined)
        over()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The body of an answer to HEAD whose length is not known: nothing is made for it. */
export function emptyStream(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
}
