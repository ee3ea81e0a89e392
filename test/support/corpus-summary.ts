/** Loaded before all tests (bunfig.toml): when they are over, says how many of the real files gave what they should. */

import { afterAll } from 'bun:test'
import { summarizeCorpus } from './corpus.ts'

afterAll(() => {
  const summary = summarizeCorpus()
  if (summary !== null) console.log(`\n${summary}`)
})
