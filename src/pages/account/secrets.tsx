/** @jsxImportSource preact */

/** New secrets, shown once, each with a copy button; a single one with a first request to try. */

import { useEffect } from 'preact/hooks'
import type { KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { useCopying } from './copying.tsx'
import type { AccountFacts } from './places.ts'

export interface SecretPanelOptions {
  readonly facts: AccountFacts
  readonly keys: readonly KeyWithSecret[]
  readonly onDone: () => void
}

export function SecretPanel({ facts, keys, onDone }: SecretPanelOptions) {
  const { language, base } = facts
  const texts = useTexts(KEYS_TEXTS)
  const { box, said } = useCopying<HTMLElement>(keys)
  const single = keys.length === 1 ? keys[0] : undefined
  useEffect(() => box.current?.querySelector<HTMLElement>('h2')?.focus(), [keys])
  return (
    <section class="secret" ref={box} aria-labelledby="secret-title">
      <h2 id="secret-title" tabIndex={-1}>
        {single ? texts.secretTitle(single.label) : texts.secretsTitle}
      </h2>
      {said}
      <p>{single ? texts.secretOnce : texts.secretsOnce}</p>
      {keys.map((key) => (
        <div key={key.secret}>
          {!single && <h3>{key.label}</h3>}
          <CodeBox language={language} label={`${texts.secret}, ${key.label}`} text={key.secret} />
        </div>
      ))}
      {single && <p>{texts.tryIt}</p>}
      {single && (
        <CodeBox
          key={`curl ${single.secret}`}
          language={language}
          label={texts.curl}
          text={curlLine(base, single.secret)}
          id="curl"
        />
      )}
      <button type="button" onClick={onDone}>
        {texts.secretDone}
      </button>
    </section>
  )
}

/** The first request of `izvor demo` and of the guides: it works with any catalog. */
function curlLine(base: string, secret: string): string {
  return `curl -g -H "Authorization: Bearer ${secret}" "${base}/v1/datasets"`
}
