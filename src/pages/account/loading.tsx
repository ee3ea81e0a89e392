/** @jsxImportSource preact */

/** Values that come by a call, and what stands in their place until they do. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Language } from '../../mail/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { explain } from './refusals.ts'

export interface Loaded<T> {
  /** The last value that came; it stays while another is on its way. */
  readonly value: T | undefined
  readonly error: unknown
  readonly loading: boolean
  /** Asks again. Never rejects. */
  readonly reload: () => Promise<void>
}

/** @param key asks again whenever it changes; an answer that was overtaken is dropped */
export function useLoaded<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    ...{ value: undefined, error: undefined, loading: true },
  })
  const latest = useRef(0)
  const reload = async () => {
    const turn = ++latest.current
    setState((before) => ({ ...before, loading: true }))
    try {
      const value = await load()
      if (turn === latest.current) setState({ value, error: undefined, loading: false })
    } catch (error) {
      if (turn === latest.current) setState((before) => ({ ...before, error, loading: false }))
    }
  }
  useEffect(() => void reload(), [key])
  return { ...state, reload }
}

/** Asks again when somebody comes back to the page, from a terminal for instance. */
export function useReturn(reload: () => Promise<void>): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    const onShow = () => {
      if (document.visibilityState === 'visible') void latest.current()
    }
    document.addEventListener('visibilitychange', onShow)
    return () => document.removeEventListener('visibilitychange', onShow)
  }, [])
}

/** Shows a loaded value, or that it is on its way, or why it did not come. */
export function WhenLoaded<T>({
  language,
  loaded,
  children,
}: {
  language: Language
  loaded: Loaded<T>
  children: (value: T) => ComponentChildren
}) {
  const texts = ACCOUNT_TEXTS[language]
  const { value, error, loading, reload } = loaded
  return (
    <>
      <div role="alert">
        {error !== undefined && (
          <p class="note bad">
            {explain(language, error).message}{' '}
            <button type="button" class="small" onClick={() => void reload()}>
              {texts.again}
            </button>
          </p>
        )}
      </div>
      {value !== undefined && children(value)}
      {value === undefined && loading && <p class="soft waiting">{texts.loading}</p>}
    </>
  )
}
