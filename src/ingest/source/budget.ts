/**
 * How much a file may grow into. Publishers' spreadsheets unpack to ten or thirty times their size, a bomb to a
 * thousand times: whatever goes beyond a hundred times, or beyond what the disk can take, is refused while it grows.
 */

import { statfsSync } from 'node:fs'
import { CommandError, type Reason } from '../../base/errors.ts'
import { because } from '../report/reasons.ts'

const EXPANSION = 100
/** Small files may grow more: repeated cells pack very well, and this much harms nobody. */
const ALWAYS_ALLOWED = 256 * 1024 * 1024
/** Of the free disk. */
const DISK_SHARE = 0.8

export class Budget {
  private left: number
  private readonly reason: string
  private readonly reasons: readonly Reason[]

  /** @param sourceBytes of the file as it came @param folder where the work files go */
  constructor(sourceBytes: number, folder: string) {
    const disk = statfsSync(folder)
    const onDisk = disk.bavail * disk.bsize * DISK_SHARE
    const expanded = Math.max(ALWAYS_ALLOWED, EXPANSION * sourceBytes)
    this.left = Math.min(onDisk, expanded)
    this.reasons = onDisk < expanded ? because('disk_full', {}) : because('unsafe_file', {})
    this.reason =
      onDisk < expanded
        ? 'the disk has no room for what it unpacks to'
        : `it unpacks to more than ${Math.round(expanded / 1e6)} MB, ${EXPANSION} times its size and more, as only a file made to do harm does; unpack it yourself if it is to be trusted`
  }

  /** @throws CommandError `refused` when that is more than what is left */
  take(bytes: number): void {
    this.left -= bytes
    if (this.left < 0) throw new CommandError('refused', this.reason, null, this.reasons)
  }
}
