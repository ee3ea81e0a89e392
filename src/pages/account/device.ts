/** The likely browser and system of a `User-Agent`: only a hint, to help people find a session that is not theirs. */

/** The first match counts: many programs also name the ones further down. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox, Windows`; the text itself, shortened, when it is none of these; undefined for none. */
export function deviceName(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const found = [PROGRAMS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1])
  const names = found.filter((name) => name !== undefined)
  return names.length === 0 ? userAgent.slice(0, 60) : names.join(', ')
}
