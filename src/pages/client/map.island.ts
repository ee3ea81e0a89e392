/**
 * The map's script. Counties: arrow keys move from one to the next. Points: arrow keys, `+`, `-`, dragging and pinching lead
 * to the page of another frame, which is shown in place.
 */

import { fetchPage, onLink } from './in-place.ts'
import './language-link.ts'

const root = document.querySelector<HTMLElement>('#map')!

const POINTS = 'svg.points'
/** The direction of each arrow key on the drawing of counties. */
const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Makes the drawing reachable by keyboard: its first county, or the map of points as a whole. */
function prepare(): void {
  const counties = [...root.querySelectorAll<SVGElement>('.county')]
  for (const [index, county] of counties.entries()) county.tabIndex = index === 0 ? 0 : -1
  const points = root.querySelector<SVGElement>(POINTS)
  if (points !== null) points.tabIndex = 0
  for (const keys of root.querySelectorAll('[data-keys]')) keys.removeAttribute('hidden')
}

/** Focuses the nearest county in a direction; sideways distance counts double. */
function step(from: SVGElement, [dx, dy]: readonly [number, number]): void {
  const placeOf = (county: SVGElement) => county.dataset.at!.split(',').map(Number) as [number, number]
  const [x, y] = placeOf(from)
  const near = [...root.querySelectorAll<SVGElement>('.county')].flatMap((county) => {
    const place = placeOf(county)
    const [right, down] = [place[0] - x, place[1] - y]
    const along = right * dx + down * dy
    const aside = Math.abs(right * dy + down * dx)
    return along > 0 ? [{ county, cost: along + 2 * aside }] : []
  })
  const [next] = near.sort((a, b) => a.cost - b.cost)
  if (next === undefined) return
  from.tabIndex = -1
  next.county.tabIndex = 0
  next.county.focus()
}

/** Shows the map of an address in place of this one; if that fails, loads the page. */
async function show(address: string): Promise<void> {
  const fresh = (await fetchPage(address))?.querySelector('#map')
  if (!fresh) return location.assign(address)
  const focused = document.activeElement
  const key = focused?.getAttribute('data-key')
  const selector = key ? `[data-key="${key}"]` : focused?.matches(POINTS) ? POINTS : undefined
  // Keep the status element and change its text, so that it is read out.
  const [status, said] = [root, fresh].map((one) => one.querySelector('[role="status"]'))
  if (status && said) {
    status.textContent = said.textContent
    said.replaceWith(status)
  }
  root.replaceChildren(...fresh.childNodes)
  prepare()
  if (selector !== undefined) root.querySelector<HTMLElement>(selector)?.focus()
}

function follow(address: string): void {
  history.pushState(null, '', address)
  void show(address)
}

root.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = event.target as Element
  const county = target.closest<SVGElement>('.county')
  const direction = STEPS[event.key]
  const button = target.closest(POINTS)
    ? root.querySelector<HTMLAnchorElement>(`[data-key="${event.key === '=' ? '+' : CSS.escape(event.key)}"]`)
    : null
  if (county && direction) step(county, direction)
  else if (button) follow(button.href)
  else return
  event.preventDefault()
})

/** The end of a drag is not a click on a point. */
root.addEventListener('click', (event) => {
  if (hasMoved && (event.target as Element).closest(POINTS)) event.preventDefault()
})

onLink(root, '.map-controls a.button', ({ href }) => follow(href))

addEventListener('popstate', () => void show(location.href))

/** The most pixels that a pointer moves during a click. */
const STILL = 4
/** Where each finger, or the mouse, went down and is now. */
const held = new Map<number, { from: readonly [number, number]; to: readonly [number, number] }>()
let hasMoved = false

/** The middle of the pointers, in units of the drawing, and their greatest distance from it, in pixels. */
function gripOf(end: 'from' | 'to', svg: SVGSVGElement) {
  const box = svg.getBoundingClientRect()
  const unit = svg.viewBox.baseVal.width / box.width
  const all = [...held.values()].map((one) => one[end])
  const mean = (axis: 0 | 1) => all.reduce((sum, point) => sum + point[axis], 0) / all.length
  const [x, y] = [mean(0), mean(1)]
  const reach = Math.max(...all.map((point) => Math.hypot(point[0] - x, point[1] - y)))
  return { x: (x - box.left) * unit, y: (y - box.top) * unit, reach }
}

/** How the pointers moved the drawing: a point `p` is now at `to + (p - from) * scale`. */
function shiftOf(svg: SVGSVGElement) {
  const [from, to] = [gripOf('from', svg), gripOf('to', svg)]
  return { from, to, scale: held.size > 1 && from.reach > 0 ? to.reach / from.reach : 1 }
}

root.addEventListener('pointerdown', (event) => {
  if (event.button !== 0 || !(event.target as Element).closest(POINTS)) return
  if (held.size === 0) hasMoved = false
  const place = [event.clientX, event.clientY] as const
  held.set(event.pointerId, { from: place, to: place })
})

root.addEventListener('dragstart', (event) => event.preventDefault())

document.addEventListener('pointermove', (event) => {
  const one = held.get(event.pointerId)
  const svg = root.querySelector<SVGSVGElement>(POINTS)
  if (one === undefined || svg === null) return
  held.set(event.pointerId, { ...one, to: [event.clientX, event.clientY] })
  hasMoved ||= Math.hypot(event.clientX - one.from[0], event.clientY - one.from[1]) > STILL
  if (!hasMoved) return
  const { from, to, scale } = shiftOf(svg)
  svg.firstElementChild!.setAttribute(
    'transform',
    `translate(${to.x} ${to.y}) scale(${scale}) translate(${-from.x} ${-from.y})`,
  )
})

document.addEventListener('pointerup', (event) => {
  const svg = root.querySelector<SVGSVGElement>(POINTS)
  if (!held.has(event.pointerId) || svg === null) return
  const { from, to, scale } = shiftOf(svg)
  held.clear()
  if (!hasMoved) return
  const { width, height } = svg.viewBox.baseVal
  const whole = root.querySelector<HTMLAnchorElement>('[data-sides]')!
  const [south, north, west, east] = svg.dataset.frame!.split(',').map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const latitude = (y: number) => north - (((y - to.y) / scale + from.y) / height) * (north - south)
  const longitude = (x: number) => west + (((x - to.x) / scale + from.x) / width) * (east - west)
  const frame = [latitude(height), latitude(0), longitude(0), longitude(width)]
  const address = new URL(whole.href)
  for (const [side, name] of whole.dataset.sides!.split(',').entries())
    address.searchParams.set(name, frame[side]!.toFixed(5))
  follow(address.href)
})

document.addEventListener('pointercancel', () => {
  held.clear()
  root.querySelector(`${POINTS} > g`)?.removeAttribute('transform')
})

prepare()
