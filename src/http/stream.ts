/** Generators as response bodies. */

import { PATIENCE, ReaderPace } from './reader-pace.ts'

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
  /** Ends the connection when the stream breaks off: what waits to be sent would otherwise hold it until the client reads on. */
  readonly cutOff: () => void
  /** Called with the error that broke the stream. */
  readonly failed: (error: unknown) => void
  /**
   * Called once when the stream is over: complete, broken, cancelled by the client, even before the first chunk, or cut off
   * because the client reads too slowly. `bytes`: sent.
   */
  readonly over: (bytes: number) => void
  /** Breaks the stream off when it fires. */
  readonly cut?: AbortSignal
}

/**
 * A body that asks the generator for the next chunk only when the client took the last one. A failure destroys the
 * connection: the client sees a broken transfer, never a short file that looks whole, and none of the error's text.
 */
export function streamBody(
  source: AsyncGenerator<Uint8Array>,
  end: StreamEnd,
  patience = PATIENCE,
): ReadableStream {
  let givenUp = false
  let bytes = 0
  let fail = () => {}
  const over = () => {
    end.cut?.removeEventListener('abort', takeDown)
    end.over(bytes)
  }
  const giveUp = async () => {
    givenUp = true
    pace.took()
    await source.return(undefined)
    over()
  }
  const breakOff = () => {
    fail()
    end.cutOff()
    void giveUp()
  }
  const takeDown = () => {
    end.failed(new Error('what is read was taken down'))
    breakOff()
  }
  const pace = new ReaderPace(breakOff, patience)
  return new ReadableStream(
    {
      start(controller) {
        // The runtime would print a reason, beside the log.
        fail = () => controller.error(undefined)
        end.cut?.addEventListener('abort', takeDown)
        if (end.cut?.aborted) takeDown()
      },
      async pull(controller) {
        pace.took()
        try {
          const { done, value } = await source.next()
          if (givenUp) return
          if (!done) {
            controller.enqueue(value)
            bytes += value.length
            pace.gave(value.length)
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
      cancel: giveUp,
    },
    { highWaterMark: 0 },
  )
}

/** The body of an answer to HEAD whose length is not known: nothing is made for it. */
export function emptyStream(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
}
