/** Imported `with { type: 'file' }`: the path of the module, also inside the compiled program. */
declare module '*.wasm' {
  const path: string
  export default path
}
