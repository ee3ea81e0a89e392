/** Imported `with { type: 'file' }`: the path of the file, embedded in the executable. */
declare module '*.ttf' {
  const path: string
  export default path
}
declare module '@resvg/resvg-wasm/index_bg.wasm' {
  const path: string
  export default path
}
