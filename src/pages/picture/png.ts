/** Turns SVG into PNG with the program's own fonts, so that pictures do not depend on those of the machine. */

import regularPath from '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf' with {
  type: 'file',
}
import semiboldPath from '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf' with {
  type: 'file',
}
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }

const FAMILY = 'Source Sans 3'

let ready: Promise<Uint8Array[]> | undefined

/** Loads the renderer, which takes about 100 ms, and the fonts; once. */
async function prepare(): Promise<Uint8Array[]> {
  await initWasm(await Bun.file(wasmPath).arrayBuffer())
  return await Promise.all([regularPath, semiboldPath].map((path) => Bun.file(path).bytes()))
}

/**
 * Draws an SVG in its own size. It blocks for about 200 ms, so it is not for a process that answers requests.
 * @param svg all texts are drawn in one font family, whatever it names
 */
export async function toPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= prepare()
  const fontBuffers = await ready
  const font = { fontBuffers, loadSystemFonts: false, defaultFontFamily: FAMILY, sansSerifFamily: FAMILY }
  const drawing = new Resvg(svg, { font })
  try {
    return new Uint8Array(drawing.render().asPng())
  } finally {
    drawing.free()
  }
}
