/** Files imported `with { type: 'text' }`: their contents are embedded in the executable. */
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
