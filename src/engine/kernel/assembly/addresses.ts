/** Addresses of elements in lists, and of codes and bits by row. */

/** The address of a word of four bytes in a list of them. */
export function word(base: usize, index: u32): usize {
  return base + ((index as usize) << 2)
}

/** The same for eight bytes. */
export function wide(base: usize, index: u32): usize {
  return base + ((index as usize) << 3)
}

/** The code of a row, of `width` bytes. */
export function codeAt(codes: usize, width: u32, row: u32): u32 {
  if (width === 1) return load<u8>(codes + row)
  if (width === 2) return load<u16>(codes + ((row as usize) << 1))
  return load<u32>(word(codes, row))
}

/** The bit of a row or code in a mask: 0 or 1. */
export function bitAt(mask: usize, index: u32): u32 {
  return ((load<u8>(mask + (index >> 3)) as u32) >> (index & 7)) & 1
}

export function setBit(mask: usize, index: u32): void {
  const byte = mask + (index >> 3)
  store<u8>(byte, (load<u8>(byte) as u32) | (1 << (index & 7)))
}

/** Adds one to a counter. @returns what it was */
export function countOne(counts: usize, index: u32): u32 {
  const at = word(counts, index)
  const count = load<u32>(at)
  store<u32>(at, count + 1)
  return count
}
