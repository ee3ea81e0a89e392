/** @jsxImportSource preact */
import { hydrate } from 'preact'
import { FACTS_ID, ROOT_ID } from '../account/account-places.ts'
import { EntryForm } from '../account/entry.tsx'
import './language-link.ts'

const root = document.getElementById(ROOT_ID)
const facts = document.getElementById(FACTS_ID)?.textContent
if (root && facts) hydrate(<EntryForm facts={JSON.parse(facts)} />, root)
