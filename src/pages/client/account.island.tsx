/** @jsxImportSource preact */
import { hydrate } from 'preact'
import { CONSOLE_PATHS, type ConsoleFacts } from '../account/account-places.ts'
import { Console, SignOut } from '../account/console.tsx'
import { takeOver } from './take-over.ts'

takeOver(
  (facts: ConsoleFacts) => {
    hydrate(<SignOut facts={facts} />, document.getElementById('sign-out')!)
    return <Console facts={facts} />
  },
  ({ section }) => CONSOLE_PATHS[section],
)
