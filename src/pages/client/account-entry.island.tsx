/** @jsxImportSource preact */

/** The forms for signing in and up, and of mailed links. */

import { hydrate } from 'preact'
import { EntryForm } from '../account/entry.tsx'
import { FACTS_ID, ROOT_ID } from '../account/places.ts'

const root = document.getElementById(ROOT_ID)
const facts = document.getElementById(FACTS_ID)?.textContent
if (root && facts) hydrate(<EntryForm facts={JSON.parse(facts)} />, root)
