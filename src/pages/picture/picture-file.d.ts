/** Files imported `with { type: 'file' }`: the import is the path, and the file is embedded in the executable. */
declare module '*.ttf' {
  const path: string
  export default path
}
declare module '@resvg/resvg-wasm/index_bg.wasm' {
  const path: string
  export default path
}
