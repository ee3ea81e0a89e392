/** Imported `with { type: 'file' }`: the path of the file, embedded in the executable. */
declare module '*/browser/standalone.js' {
  const path: string
  export default path
}
