/** Distinct values in any order: entry i is the UTF-8 text `heap[offsets[i] .. offsets[i+1])`. */
export interface RawEntries {
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}
