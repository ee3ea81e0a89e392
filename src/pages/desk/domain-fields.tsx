/** @jsxImportSource preact */

/** The domain of a dataset: one of the publisher's, or, where the role allows it, a new one. */

import { useState } from 'preact/hooks'
import { domainName } from '../parts/domain-name.ts'
import { Choice, Field } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { ABOUT_TEXTS } from '../texts/desk.ts'
import type { DeskFacts } from './places.ts'

const OTHER = ' '

export function DomainFields({ facts, domain }: { facts: DeskFacts; domain: string | null }) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const isListed = domain === null || facts.domains.includes(domain)
  const [chosen, choose] = useState(isListed ? (domain ?? '') : OTHER)
  const named = facts.domains
    .map((name) => [name, domainName(language, name)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
  return (
    <>
      <Choice
        name="domain"
        label={texts.domain}
        value={chosen}
        choices={[
          ['', texts.noDomain],
          ...named,
          ...(facts.mayNameDomain ? [[OTHER, texts.otherDomain] as const] : []),
        ]}
        onChoose={choose}
      />
      {chosen === OTHER && (
        <Field
          name="other_domain"
          label={texts.domainId}
          hint={texts.domainIdHint}
          value={isListed ? '' : (domain ?? '')}
          maxLength={64}
          autoComplete="off"
        />
      )}
    </>
  )
}

/** The domain that the fields name; null: none. */
export function domainOf({ domain = '', other_domain = '' }: Values): string | null {
  return (domain === OTHER ? other_domain.trim() : domain) || null
}
