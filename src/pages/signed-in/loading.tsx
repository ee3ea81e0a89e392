/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { read } from './api.ts'
import { useLanguage, useTexts } from './page-language.ts'
import { explain } from './refusals.ts'
import { SmallButton } from './section.tsx'

export interface Loaded<T> {
  /** The last value that arrived; it stays while a new one is being fetched. */
  readonly value: T | undefined
  readonly error: unknown
  readonly loading: boolean
  /** Fetches again. Never rejects. */
  readonly reload: () => Promise<void>
}

const WAITING = { value: undefined, error: undefined, loading: true } as const

/** @param key loads again whenever it changes; an answer overtaken by a newer one is dropped */
export function useLoaded<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>(WAITING)
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

/** As `useLoaded`, for the answer of a path. @param edition loads again whenever it or the path changes */
export function useRead<T>(path: string, edition?: unknown): Loaded<T> {
  return useLoaded(() => read<T>(path), `${path} ${edition}`)
}

/** Reloads when the user comes back to the page, for instance from a terminal. */
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

export function WhenLoaded<T>(options: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { loaded, children } = options
  const language = useLanguage()
  const texts = useTexts(ACCOUNT_TEXTS)
  const { value, error, loading, reload } = loaded
  return (
    <>
      <div role="alert">
        {error !== undefined && (
          <p class="note bad">
            {explain(language, error).message} <SmallButton onPress={reload}>{texts.again}</SmallButton>
          </p>
        )}
      </div>
      {value !== undefined && children(value)}
      {value === undefined && loading && <p class="soft waiting">{texts.loading}</p>}
    </>
  )
}
