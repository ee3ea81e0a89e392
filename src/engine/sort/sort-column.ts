/** A column of a sort, as the kernel's loops take it. */
export interface SortColumn {
  /** Address of the codes, and their width in bytes. */
  readonly codes: number
  readonly width: number
  /** Address of the ranks; 0 where no two codes compare equal. */
  readonly ranks: number
  /** The highest code or rank. */
  readonly top: number
  /** 1 or 0. */
  readonly descending: number
  /** How many values there are to tell apart, null among them. */
  readonly size: number
}
