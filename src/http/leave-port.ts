/**
 * Closing a listening socket resets the connections whose handshake it has begun or that wait to be accepted: clients
 * that had done nothing wrong, two or so of busy ones each time. So the kernel is told first to begin no more with this
 * socket, handshakes under way end and are accepted, and when it is closed nothing is left to reset.
 *
 * Alone on its port the socket is bound to a network interface that does not exist: new clients are refused, as they will
 * be anyway. Beside one other process the kernel asks a program (classic BPF, one instruction) which socket of the port is
 * to have a connection: the other one. None of it needs rights. Bun has no word for socket options, so libc is called; on
 * Linux only, elsewhere nothing happens.
 */

import { dlopen, ptr } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'

/** Numbers of Linux, the same on x64 and arm64. */
const SOL_SOCKET = 1
const SO_ACCEPTCONN = 30
const SO_ATTACH_REUSEPORT_CBPF = 51
const SO_BINDTOIFINDEX = 62
const SO_DETACH_REUSEPORT_BPF = 68
/** The largest number of an interface: they are counted from 1. */
const NO_INTERFACE = 0x7fff_ffff
/** `BPF_RET | BPF_K` */
const RETURN = 0x06

export type Leaving = 'handed over' | 'refused' | 'unchanged'

/**
 * Makes ready, which takes some milliseconds, to have new connections to `port` go to the other process that listens
 * there, or be refused where there is none.
 * @param answersHere asks over a new connection, and resolves to whether this process answered
 * @returns what does so, once; it resolves to what became of new connections, `unchanged` where nothing can be done
 */
export function prepareToLeave(port: number, answersHere: () => Promise<boolean>): () => Promise<Leaving> {
  if (process.platform !== 'linux') return async () => 'unchanged'
  const sockets = new ListeningSockets(port)
  const others = countListeners(port) - sockets.files.length
  return async () => {
    try {
      return await leave(sockets, others, answersHere)
    } finally {
      sockets.close()
    }
  }
}

async function leave(
  sockets: ListeningSockets,
  others: number,
  answersHere: () => Promise<boolean>,
): Promise<Leaving> {
  // Of several nobody would take the program away again, and one would have all connections.
  if (others > 1) return 'unchanged'
  // Sockets are numbered as they began to listen, so the second is most likely the successor's.
  for (const number of others === 1 ? [1, 0] : []) {
    if (!sockets.choose(number)) break
    if (!(await answersHere())) return 'handed over'
  }
  sockets.set(SO_DETACH_REUSEPORT_BPF, int(0))
  return sockets.set(SO_BINDTOIFINDEX, int(NO_INTERFACE)) ? 'refused' : 'unchanged'
}

/** Has connections spread over all processes on `port` again, after one has left it. */
export function sharePort(port: number): void {
  if (process.platform !== 'linux') return
  const sockets = new ListeningSockets(port)
  sockets.set(SO_DETACH_REUSEPORT_BPF, int(0))
  sockets.close()
}

/** Those of this process on one port. */
class ListeningSockets {
  readonly files: readonly number[]
  readonly #libc = dlopen('libc.so.6', {
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
    getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
  })

  constructor(port: number) {
    this.files = readdirSync('/proc/self/fd')
      .map(Number)
      .filter((file) => this.#listensOn(file, port))
  }

  /** @returns whether all of them took it, and there is one */
  set(option: number, value: Uint8Array): boolean {
    const { setsockopt } = this.#libc.symbols
    const taken = this.files.filter(
      (file) => setsockopt(file, SOL_SOCKET, option, ptr(value), value.length) === 0,
    )
    return taken.length > 0 && taken.length === this.files.length
  }

  /** Has the socket of this number, of all processes on the port, take every connection. */
  choose(number: number): boolean {
    // `struct sock_filter`: code, two jumps, operand.
    const instruction = new Uint8Array(8)
    const operand = new DataView(instruction.buffer)
    operand.setUint16(0, RETURN, true)
    operand.setUint32(4, number, true)
    // `struct sock_fprog`: how many, where.
    const program = new Uint8Array(16)
    const view = new DataView(program.buffer)
    view.setUint16(0, 1, true)
    view.setBigUint64(8, BigInt(ptr(instruction)), true)
    return this.set(SO_ATTACH_REUSEPORT_CBPF, program)
  }

  close(): void {
    this.#libc.close()
  }

  #listensOn(file: number, port: number): boolean {
    const { getsockopt, getsockname } = this.#libc.symbols
    const listens = new Int32Array(1)
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, ptr(listens), ptr(int(4))) !== 0) return false
    const address = new Uint8Array(128)
    if (listens[0] !== 1 || getsockname(file, ptr(address), ptr(int(128))) !== 0) return false
    // `sockaddr_in` and `sockaddr_in6` alike: the port stands behind the family, most significant byte first.
    return new DataView(address.buffer).getUint16(2) === port
  }
}

function int(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setInt32(0, value, true)
  return bytes
}

/** Sockets of all processes that listen on a port, by the kernel's tables: `sl local_address rem_address st …`. */
function countListeners(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => state === '0A' && address?.endsWith(local)).length
}
