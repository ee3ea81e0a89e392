/** @jsxImportSource preact */
/**
 * A chart as SVG, for pages and pictures. Horizontal places are shares of the width and vertical ones pixels, so words keep
 * their size at any width; colours are attributes, since the policy of pages forbids inline styles.
 */

import { Bars, heightOfBars } from './bars.tsx'
import type { ChartData } from './chart.ts'
import type { ChartProps } from './marks.ts'
import { heightOfPlot, Plot } from './plot.tsx'

/** Height of the drawing in pixels. */
export function heightOf(data: ChartData): number {
  return data.draw === 'bars' ? heightOfBars(data) : heightOfPlot(data)
}

export function ChartDrawing(props: ChartProps) {
  return props.data.draw === 'bars' ? <Bars {...props} /> : <Plot {...props} />
}
