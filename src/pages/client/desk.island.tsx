/** @jsxImportSource preact */
import { Desk } from '../desk/desk.tsx'
import { type DeskFacts, deskPath } from '../desk/desk-places.ts'
import { takeOver } from './take-over.ts'

takeOver(
  (facts: DeskFacts) => <Desk facts={facts} />,
  ({ place }) => deskPath(place),
)
