/** Imported `with { type: 'file' }`: the path of the module, also inside the compiled program. */
declare module '*.wasm' {
  const path: string
  export default path
}

/** The same, of a table of bits. */
declare module '*.bin' {
  const path: string
  export default path
}
