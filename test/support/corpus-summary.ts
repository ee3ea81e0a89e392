/**
 * Loaded before all tests (bunfig.toml). When they are over, prints how many of the real files gave the expected result, and
 * at how many moments something was made to fail.
 */

import { afterAll } from 'bun:test'
import { summarizeCorpus } from './corpus.ts'
import { summarizeMoments } from './fault-moments.ts'

afterAll(() => {
  for (const summary of [summarizeCorpus(), summarizeMoments()]) {
    if (summary !== null) console.log(`\n${summary}`)
  }
})
