/** @jsxImportSource preact */

/** A share as a thin bar beside its number. */

/** @param share from 0 to 1 */
export function ShareBar({ share }: { share: number }) {
  const width = Math.round(share * 1000) / 10
  return (
    <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="6" />
      <rect class="part" width={width} height="6" />
    </svg>
  )
}
