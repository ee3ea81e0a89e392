/**
 * Uploads a generated table as a draft, in a separate process, so that it does not disturb a measurement, and prints the
 * draft. Arguments: the address, the key, the size in bytes.
 */

export {}

const [address = '', secret = '', size = '0'] = process.argv.slice(2)
const ROWS_AT_ONCE = 2000

let sent = 0
let row = 0
const body = new ReadableStream({
  pull(controller) {
    if (sent >= Number(size)) return controller.close()
    let text = row === 0 ? 'number,county,town,day,value,note\n' : ''
    for (const end = row + ROWS_AT_ONCE; row < end; row++) {
      const spread = Math.imul(row, 0x9e3779b1) >>> 0
      const day = `2024-${String((row % 12) + 1).padStart(2, '0')}-${String((row % 28) + 1).padStart(2, '0')}`
      text += `${row},${row % 42},town ${spread % 3000},${day},${(spread % 1_000_000) / 100},note ${spread % 100_000}\n`
    }
    const bytes = new TextEncoder().encode(text)
    sent += bytes.length
    controller.enqueue(bytes)
  },
})
const answer = await fetch(`${address}/publish/api/drafts?filename=table.csv`, {
  ...{ method: 'POST', body },
  headers: { authorization: `Bearer ${secret}` },
})
process.stdout.write(await answer.text())
process.exit(answer.status === 201 ? 0 : 1)
