/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { showCopyButtons } from '../parts/copy-buttons.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Button } from '../signed-in/section.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import type { ConsoleFacts } from './account-places.ts'
import { firstRequest } from './scope-chooser.tsx'

/**
 * Activates the copy buttons below an element.
 * @param shown what is in the boxes; a new value activates the buttons again
 * @returns `box`, the element's ref, and `said`, to be rendered inside it
 */
export function useCopying<Box extends HTMLElement>(shown: unknown) {
  const language = useLanguage()
  const box = useRef<Box>(null)
  const [text, say] = useState('')
  useEffect(() => {
    if (box.current === null) return
    showCopyButtons(box.current)
    for (const button of box.current.querySelectorAll('[data-copy]'))
      button.addEventListener('click', () => say(ACCOUNT_TEXTS[language].copied))
  }, [shown])
  const said = (
    <div role="status" class="unseen">
      {text}
    </div>
  )
  return { box, said }
}

interface SecretPanelOptions {
  readonly facts: ConsoleFacts
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
    <section class="note secret" ref={box} aria-labelledby="secret-title">
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
          text={`curl -g -H "Authorization: Bearer ${single.secret}" "${base}${firstRequest(facts, single.scopes)}"`}
          id="curl"
        />
      )}
      <Button onPress={onDone}>{texts.secretDone}</Button>
    </section>
  )
}
