/** The name of a file that a request brings (RFC 6266, RFC 8187). */

const LONGEST = 255
const EXTENDED = /;\s*filename\*\s*=\s*UTF-8''([^\s;]+)/i
const QUOTED = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i
const PLAIN = /;\s*filename\s*=\s*([^\s;"]+)/i

/** The name in `Content-Disposition`, as it was written; null where there is none. */
export function dispositionName(header: string | null): string | null {
  if (header === null) return null
  const extended = EXTENDED.exec(`;${header}`)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // The plain one follows.
    }
  }
  const quoted = QUOTED.exec(`;${header}`)?.[1]
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? PLAIN.exec(`;${header}`)?.[1] ?? null
}

/** The last part of a path of any system, on one line, at most 255 characters; empty when nothing is left. */
export function plainFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const line = last.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return [...line].slice(0, LONGEST).join('').replace(/^\.+$/, '')
}
