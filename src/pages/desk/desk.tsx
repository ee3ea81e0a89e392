/** @jsxImportSource preact */

/** The contents of a page of the desk, rendered alike on the server and in the browser. */

import { ROOT_ID } from '../account/places.ts'
import { useKeptFocus } from '../signed-in/kept-focus.ts'
import { PageLanguage } from '../signed-in/page-language.ts'
import { DatasetPage } from './dataset-page.tsx'
import { DraftPage } from './draft-page.tsx'
import { Home } from './home.tsx'
import type { DeskFacts } from './places.ts'

export function Desk({ facts }: { facts: DeskFacts }) {
  useKeptFocus(ROOT_ID)
  return (
    <PageLanguage.Provider value={facts.language}>
      <Place facts={facts} />
    </PageLanguage.Provider>
  )
}

function Place({ facts }: { facts: DeskFacts }) {
  const { place } = facts
  if (place.page === 'draft') return <DraftPage facts={facts} id={place.id} />
  if (place.page === 'dataset') return <DatasetPage facts={facts} id={place.id} />
  return <Home facts={facts} />
}
