/**
 * Bundles the pages' islands: `bun run build:client` after a change in `src/pages` that they use. The bundles are
 * committed, so running and building the program needs no bundler; a test bundles again and compares.
 */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CLIENT = join(import.meta.dir, '..', 'src', 'pages', 'client')
const BUNDLES = join(CLIENT, 'bundle')

/** The files directly in `client/` that end in `.island.ts` or `.island.tsx`. */
function islandFiles(): string[] {
  return readdirSync(CLIENT)
    .filter((file) => /\.island\.tsx?$/.test(file))
    .sort()
}

/**
 * All bundles by file name.
 * @throws AggregateError with the bundler's messages when an island does not build
 */
export async function bundleClient(): Promise<Map<string, string>> {
  const bundles = new Map<string, string>()
  for (const file of islandFiles()) {
    const result = await Bun.build({
      entrypoints: [join(CLIENT, file)],
      target: 'browser',
      format: 'esm',
      minify: true,
      sourcemap: 'none',
      // So that a test and a manual build get the same bytes.
      env: 'disable',
      define: { 'process.env.NODE_ENV': '"production"' },
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
    })
    if (!result.success) throw new AggregateError(result.logs, `${file} does not build`)
    bundles.set(file.replace(/\.island\.tsx?$/, '.bundle.js'), await result.outputs[0]!.text())
  }
  return bundles
}

if (import.meta.main) {
  const bundles = await bundleClient()
  for (const file of readdirSync(BUNDLES)) if (!bundles.has(file)) rmSync(join(BUNDLES, file))
  for (const [file, text] of bundles) {
    writeFileSync(join(BUNDLES, file), text)
    const packed = Bun.gzipSync(Buffer.from(text)).length
    console.log(`${file}: ${text.length} bytes, ${packed} with gzip`)
  }
}
