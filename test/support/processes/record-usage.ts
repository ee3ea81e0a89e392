/** A second process that counts calls until it is killed; prints a line once some calls must be on disk. */

import { UsageRecorder } from '../../../src/accounts/usage/usage.ts'
import { useKey } from '../calls.ts'

const usage = UsageRecorder.open(process.argv[2] ?? '')
const started = Date.now()
let calls = 0
let told = false
setInterval(() => {
  useKey(usage, 1, new Date())
  calls++
  // One a millisecond at best; timers on a busy machine give fewer.
  if (told || calls < 200 || Date.now() - started < 1000) return
  told = true
  process.stdout.write('counting\n')
}, 1)
