/** What a `User-Agent` most likely stands for. A hint for people who look for a browser that is not theirs, no more. */

/** The first that fits: later ones are named in the texts of earlier ones. */
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
