const SHOWN_MS = 2000

/** Activates the buttons below an element; call it again after adding new ones. */
export function showCopyButtons(root: ParentNode = document): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]:not(.ready)')) {
    button.classList.add('ready')
    button.addEventListener('click', () => void copyFrom(button))
  }
}

async function copyFrom(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement?.querySelector<HTMLElement>('pre, textarea')
  if (!code) return
  const label = button.textContent
  await writeClipboard(code)
  button.textContent = button.dataset.copied ?? label
  setTimeout(() => {
    button.textContent = label
  }, SHOWN_MS)
}

/** Browsers offer the clipboard API only over https; elsewhere the old command works. */
async function writeClipboard(code: HTMLElement): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return
  }
  if (code instanceof HTMLTextAreaElement) code.select()
  else getSelection()?.selectAllChildren(code)
  document.execCommand('copy')
}
