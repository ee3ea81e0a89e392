/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { encode } from 'uqr'
import { CodeBox } from '../parts/code-box.tsx'
import { change } from '../signed-in/api.ts'
import { AskButton } from '../signed-in/dialog.tsx'
import { Password } from '../signed-in/fields.tsx'
import { Field, Form } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Button, Section } from '../signed-in/section.tsx'
import { type Status, useFocusLater } from '../signed-in/status.tsx'
import { FACTOR_TEXTS } from '../texts/account-keys.ts'
import type { ConsoleFacts } from './account-places.ts'
import { useCopying } from './copying.tsx'

const TITLE = 'second-factor-title'

interface Secret {
  readonly secret: string
  readonly uri: string
}

type Stage =
  | { readonly is: 'off' | 'password' | 'on' }
  | { readonly is: 'scan'; readonly shown: Secret }
  | { readonly is: 'codes'; readonly codes: readonly string[] }

/** @param onChanged called after the factor was turned on or off, which ends the other sessions */
export function SecondFactor(options: { facts: ConsoleFacts; status: Status; onChanged: () => void }) {
  const { facts, status, onChanged } = options
  const texts = useTexts(FACTOR_TEXTS)
  const focusLater = useFocusLater()
  const [stage, setStage] = useState<Stage>({ is: facts.secondFactor === 'on' ? 'on' : 'off' })
  const [isRequired, setRequired] = useState(facts.secondFactor === 'required')
  const go = (next: Stage) => {
    setStage(next)
    focusLater(TITLE)
  }
  return (
    <Section class="card narrow" id={TITLE} title={<Heading is={stage.is} />}>
      {isRequired && <p class="note warn">{texts.required}</p>}
      {stage.is === 'off' && (
        <>
          <p>{texts.lead}</p>
          <Button onPress={() => setStage({ is: 'password' })}>{texts.turnOn}</Button>
        </>
      )}
      {stage.is === 'password' && (
        <Form
          id="second-factor"
          submit={texts.next}
          onCancel={() => go({ is: 'off' })}
          send={async ({ password }) =>
            go({ is: 'scan', shown: await change('POST', '/account/api/second-factor', { password }) })
          }
        >
          <p>{texts.lead}</p>
          <Password of={facts.email} label={texts.password} />
        </Form>
      )}
      {stage.is === 'scan' && (
        <Scan
          shown={stage.shown}
          onCancel={() => go({ is: 'off' })}
          onConfirmed={(codes) => {
            setRequired(false)
            onChanged()
            go({ is: 'codes', codes })
          }}
        />
      )}
      {stage.is === 'codes' && <Codes codes={stage.codes} onDone={() => go({ is: 'on' })} />}
      {stage.is === 'on' && (
        <On
          email={facts.email}
          onRemoved={() => {
            onChanged()
            status.say(texts.turnedOff)
            go({ is: 'off' })
          }}
        />
      )}
    </Section>
  )
}

function Heading({ is }: Pick<Stage, 'is'>) {
  const texts = useTexts(FACTOR_TEXTS)
  if (is === 'codes') return texts.codesTitle
  return (
    <>
      {texts.title} {is === 'on' && <span class="tag good">{texts.on}</span>}
    </>
  )
}

function Scan(options: {
  shown: Secret
  onConfirmed: (codes: readonly string[]) => void
  onCancel: () => void
}) {
  const { shown, onConfirmed, onCancel } = options
  const language = useLanguage()
  const texts = useTexts(FACTOR_TEXTS)
  const { box, said } = useCopying<HTMLDivElement>(shown)
  // Drawn in the browser, so that the secret goes nowhere else. Black on white in either theme, as cameras expect.
  const { size, data } = encode(shown.uri, { ecc: 'M', border: 0 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const side = size + 2 * QUIET
  return (
    <div ref={box}>
      {said}
      <p>{texts.scan}</p>
      <svg class="qr" viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`} role="img" aria-label={texts.qrCode}>
        <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
        <path d={dark.join('')} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <p>{texts.orType}</p>
      <CodeBox language={language} label={texts.secret} text={shown.secret} id="factor-secret" />
      <Form
        id="factor-code"
        submit={texts.turnOn}
        onCancel={onCancel}
        send={async ({ code }) => {
          const path = '/account/api/second-factor/confirm'
          const { recovery_codes } = await change<{ recovery_codes: string[] }>('POST', path, { code })
          onConfirmed(recovery_codes)
        }}
      >
        <Field name="code" label={texts.code} hint={texts.codeHint} autoComplete="one-time-code" />
      </Form>
    </div>
  )
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const language = useLanguage()
  const texts = useTexts(FACTOR_TEXTS)
  const { box, said } = useCopying<HTMLDivElement>(codes)
  return (
    <div ref={box}>
      {said}
      <p>{texts.codesLead}</p>
      <CodeBox language={language} label={texts.codesTitle} text={codes.join('\n')} id="recovery-codes" />
      <Button class="main" onPress={onDone}>
        {texts.codesDone}
      </Button>
    </div>
  )
}

function On({ email, onRemoved }: { email: string; onRemoved: () => void }) {
  const texts = useTexts(FACTOR_TEXTS)
  return (
    <>
      <p>{texts.onLead}</p>
      <AskButton
        id="turn-off"
        title={texts.turnOffTitle}
        text={texts.turnOffText}
        submit={texts.turnOff}
        tone="danger"
        send={async ({ password, code }) => {
          await change('DELETE', '/account/api/second-factor', { password, code })
          return onRemoved
        }}
      >
        <Password of={email} label={texts.password} />
        <Field name="code" label={texts.code} hint={texts.anyCodeHint} autoComplete="one-time-code" />
      </AskButton>
    </>
  )
}

/** Modules around the code that stay white (ISO/IEC 18004, 9.1). */
const QUIET = 4
