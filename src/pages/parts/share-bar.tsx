/** @jsxImportSource preact */

/** A share as a thin bar beside its number. @param share from 0 to 1 */
export function ShareBar({ share }: { share: number }) {
  const width = Math.round(share * 1000) / 10
  return (
    <svg class="share" aria-hidden="true">
      <rect width={`${width}%`} height="100%" />
    </svg>
  )
}
