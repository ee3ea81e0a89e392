/**
 * Closing a listening socket resets the connections whose handshake it has begun or that wait to be accepted: clients
 * that had done nothing wrong, about one of every handful of busy ones each time. So the socket is made deaf first: a packet
 * filter of its own (classic BPF, which needs no rights) drops connection attempts, handshakes under way still end, and
 * when they have been accepted nothing is left to reset. An attempt that was dropped is repeated by its client's system
 * after a second, and by then another process answers on the port, or nobody does.
 *
 * Bun has no word for socket options, so libc is called. Linux only; elsewhere nothing happens.
 */

import { dlopen, ptr } from 'bun:ffi'
import { readdirSync } from 'node:fs'

/** Numbers of Linux, the same on x64 and arm64. */
const SOL_SOCKET = 1
const SO_ATTACH_FILTER = 26
const SO_ACCEPTCONN = 30

/**
 * `struct sock_filter` each: code, jump if true, jump if false, operand. The packet begins with the TCP header here.
 *   load the byte of flags · keep SYN and ACK · SYN alone: drop · else: keep the whole packet
 */
const DROP_ATTEMPTS: readonly (readonly [code: number, yes: number, no: number, operand: number])[] = [
  [0x30, 0, 0, 13],
  [0x54, 0, 0, 0x12],
  [0x15, 0, 1, 0x02],
  [0x06, 0, 0, 0],
  [0x06, 0, 0, 0xffff_ffff],
]

/**
 * Lets this process's listening sockets on `port` take no new connections, without closing them.
 * @returns how many sockets do so now; 0 where that cannot be done
 */
export function deafen(port: number): number {
  if (process.platform !== 'linux') return 0
  const libc = dlopen('libc.so.6', {
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
    getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
  })
  try {
    const { getsockopt, getsockname, setsockopt } = libc.symbols
    const listensOn = (fd: number): boolean => {
      const listens = new Int32Array(1)
      if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, ptr(listens), ptr(new Uint32Array([4]))) !== 0)
        return false
      const address = new Uint8Array(128)
      if (listens[0] !== 1 || getsockname(fd, ptr(address), ptr(new Uint32Array([128]))) !== 0) return false
      // `sockaddr_in` and `sockaddr_in6` alike: the port stands behind the family, most significant byte first.
      return new DataView(address.buffer).getUint16(2) === port
    }
    const filter = encodeFilter()
    const program = new ArrayBuffer(16)
    new DataView(program).setUint16(0, DROP_ATTEMPTS.length, true)
    new DataView(program).setBigUint64(8, BigInt(ptr(filter)), true)
    return openFiles()
      .filter(listensOn)
      .filter((fd) => setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, ptr(program), 16) === 0).length
  } finally {
    libc.close()
  }
}

function encodeFilter(): Uint8Array {
  const view = new DataView(new ArrayBuffer(DROP_ATTEMPTS.length * 8))
  for (const [index, [code, yes, no, operand]] of DROP_ATTEMPTS.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, yes)
    view.setUint8(index * 8 + 3, no)
    view.setUint32(index * 8 + 4, operand, true)
  }
  return new Uint8Array(view.buffer)
}

function openFiles(): number[] {
  return readdirSync('/proc/self/fd').map(Number)
}
