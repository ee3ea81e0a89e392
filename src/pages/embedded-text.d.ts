/** Imported `with { type: 'text' }`: the contents of the file, embedded in the executable. */
declare module '*.css' {
  const text: string
  export default text
}

declare module '*.bundle.js' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
