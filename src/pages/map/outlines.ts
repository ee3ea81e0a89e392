/** The outlines of Romania's counties (`data/reference/romania-counties.json`, made by `build/outlines.ts`). */

import outlines from '../../../data/reference/romania-counties.json' with { type: 'json' }

export type Outline = (typeof outlines.counties)[number]

/** In the order of their plate codes. `name` is as in the reference table `counties`; paths are in steps. */
export const OUTLINES: readonly Outline[] = outlines.counties

const { west, north, scale, width, height } = outlines

/** The area of the outlines, in degrees. */
export const OUTLINED = { west, north, east: west + width / scale, south: north - height / scale }

/** @param point of an outline, in steps @returns degrees */
export function degreesOf([x = 0, y = 0]: readonly number[]) {
  return { longitude: west + x / scale, latitude: north - y / scale }
}

/** The attribute `transform` that fits paths into a drawing. @param place maps degrees to the drawing's units */
export function transformTo(
  place: (point: { latitude: number; longitude: number }) => { x: number; y: number },
) {
  const [start, end] = [place(degreesOf([0, 0])), place(degreesOf([1, 1]))]
  const [x, y] = [end.x - start.x, end.y - start.y].map((step) => Number(step.toPrecision(6)))
  return `matrix(${x} 0 0 ${y} ${Math.round(start.x)} ${Math.round(start.y)})`
}
