/** @jsxImportSource preact */

interface ProgressBarOptions {
  readonly label: string
  readonly done: number
  /** null: it is not known how much there is. */
  readonly total: number | null
  /** How far it is, in words. */
  readonly text: string
}

export function ProgressBar({ label, done, total, text }: ProgressBarOptions) {
  const share = total === null || total === 0 ? {} : { value: Math.min(1, done / total), max: 1 }
  return (
    <p class="progress">
      <progress aria-label={label} {...share} />
      <span class="small soft number">{text}</span>
    </p>
  )
}
