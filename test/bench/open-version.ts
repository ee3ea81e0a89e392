/** A version as the service opens it. */

import { KernelThreads } from '../../src/engine/kernel/kernel-threads.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { VersionFile } from '../../src/store/files/open-version.ts'

const threads = new KernelThreads()

/** With a thread for each core. */
export function openVersion(file: VersionFile): OpenDataset {
  return new OpenDataset(file, { threads })
}
