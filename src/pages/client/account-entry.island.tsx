/** @jsxImportSource preact */
import type { EntryFacts } from '../account/account-places.ts'
import { EntryForm } from '../account/entry.tsx'
import { takeOver } from './take-over.ts'

takeOver((facts: EntryFacts) => <EntryForm facts={facts} />)
