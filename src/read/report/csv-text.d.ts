/** Reference tables are embedded as text. */
declare module '*.csv' {
  const text: string
  export default text
}
