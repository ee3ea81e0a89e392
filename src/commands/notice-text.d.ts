/** The file of notices, as text in the program. */
declare module '*/NOTICE' {
  const text: string
  export default text
}
