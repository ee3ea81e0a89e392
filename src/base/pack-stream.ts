import type { Transform } from 'node:stream'

/**
 * A stream's chunks through a packer of `node:zlib`, which works off the main thread, no faster than the result is read. A
 * failing source fails the result. No chunk is used after the next one has been requested.
 */
export async function* packStream(
  source: AsyncIterable<Uint8Array>,
  packer: Transform,
): AsyncGenerator<Uint8Array> {
  const feeding = feed(source, packer)
  try {
    yield* packer
  } finally {
    packer.destroy()
    await feeding
  }
}

async function feed(source: AsyncIterable<Uint8Array>, packer: Transform): Promise<void> {
  try {
    for await (const chunk of source) {
      if (packer.destroyed) return
      await new Promise<void>((resolve) => {
        packer.once('close', resolve)
        packer.write(chunk, () => {
          packer.off('close', resolve)
          resolve()
        })
      })
    }
    packer.end()
  } catch (error) {
    packer.destroy(error as Error)
  }
}
