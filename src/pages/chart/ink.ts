/** The colours of charts on pages and in pictures. */

/** Colours as values of attributes. */
export interface Ink {
  series(index: number): string
  readonly paper: string
  readonly text: string
  readonly soft: string
  readonly rule: string
  readonly axis: string
}

/** The colours of a page, light or dark. */
export const PAGE_INK: Ink = {
  series: (index) => `var(--series-${index})`,
  paper: 'var(--paper)',
  text: 'var(--ink)',
  soft: 'var(--ink-soft)',
  rule: 'var(--rule)',
  axis: 'var(--rule-strong)',
}

/** The light colours of `style/summary.css` and `style/base.css`. */
const SERIES = [
  ...['#0b5c6b', '#c2571a', '#6a8f1f', '#7a4fa3', '#b8860b', '#2f77c9', '#b13a6b', '#4d6b5a', '#9aa3a1'],
] as const
/** The colours of pictures. */
export const INK: Ink = {
  series: (index) => SERIES[index % SERIES.length]!,
  paper: '#ffffff',
  text: '#1b2326',
  soft: '#535e62',
  rule: '#dcdad2',
  axis: '#8a918f',
}
