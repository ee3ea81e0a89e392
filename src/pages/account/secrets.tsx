/** @jsxImportSource preact */

/** Secrets, shown once, each with the button that copies it; after the first key also a request to begin with. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { KeyWithSecret } from '../../keys/key-rows.ts'
import { showCopyButtons } from '../client/copy-buttons.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import type { AccountFacts } from './places.ts'

export interface SecretPanelOptions {
  readonly facts: AccountFacts
  readonly keys: readonly KeyWithSecret[]
  readonly onDone: () => void
}

export function SecretPanel({ facts, keys, onDone }: SecretPanelOptions) {
  const { language, base } = facts
  const texts = KEYS_TEXTS[language]
  const panel = useRef<HTMLElement>(null)
  const [said, say] = useState('')
  const single = keys.length === 1 ? keys[0] : undefined
  useEffect(() => {
    if (panel.current === null) return
    showCopyButtons(panel.current)
    for (const button of panel.current.querySelectorAll('[data-copy]')) {
      button.addEventListener('click', () => say(ACCOUNT_TEXTS[language].copied))
    }
    panel.current.querySelector<HTMLElement>('h2')?.focus()
  }, [keys])
  return (
    <section class="secret" ref={panel} aria-labelledby="secret-title">
      <h2 id="secret-title" tabIndex={-1}>
        {single ? texts.secretTitle(single.label) : texts.secretsTitle}
      </h2>
      <div role="status" class="unseen">
        {said}
      </div>
      <p>{single ? texts.secretOnce : texts.secretsOnce}</p>
      {keys.map((key) => (
        <div key={key.secret}>
          {!single && <h3>{key.label}</h3>}
          <CodeBox language={language} label={`${texts.secret}, ${key.label}`} text={key.secret} />
        </div>
      ))}
      {single && (
        <>
          <p>{texts.tryIt}</p>
          <CodeBox
            key={`curl ${single.secret}`}
            language={language}
            label={texts.curl}
            text={curlLine(base, single.secret)}
            id="curl"
          />
        </>
      )}
      <button type="button" onClick={onDone}>
        {texts.secretDone}
      </button>
    </section>
  )
}

/** The first request of `izvor demo` and of the guides: it works whatever is published. */
function curlLine(base: string, secret: string): string {
  return `curl -g -H "Authorization: Bearer ${secret}" "${base}/v1/datasets"`
}
