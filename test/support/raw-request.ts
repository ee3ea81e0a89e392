/** Sends bytes to a server and reads its answer, for requests that no HTTP client would send. */

export interface RawOptions {
  /** Sent one after the other. */
  readonly parts: readonly (string | Uint8Array)[]
  /** Ends the connection from this side when the answer contains this text. */
  readonly until?: string
}

/** Everything the server sends until it, or we, close the connection. */
export async function rawRequest(url: string, { parts, until }: RawOptions): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  const unsent = Buffer.concat(parts.map((part) => Buffer.from(part)))
  let sent = 0
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => {
        sent += socket.write(unsent)
      },
      drain: (socket) => {
        if (sent < unsent.length) sent += socket.write(unsent.subarray(sent))
      },
      data: (socket, bytes) => {
        chunks.push(Buffer.from(bytes))
        if (until !== undefined && Buffer.concat(chunks).includes(until)) socket.end()
      },
      close: () => resolve(Buffer.concat(chunks).toString()),
      error: () => resolve(Buffer.concat(chunks).toString()),
    },
  })
  return promise
}
