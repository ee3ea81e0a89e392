/** "Did you mean": known names that are close to an unknown one. */

const MOST_SUGGESTIONS = 3
/** Names are at most 64 characters (contract 3); longer input isn't a misspelling of one. */
const LONGEST_WORD = 72
/** Shorter names begin too many words: `c` would be suggested for any misspelt word that begins with it. */
const SHORTEST_BEGINNING = 3

/** A name with more slips is a different name. */
const MOST_SLIPS = 5
/** Characters compared in one search: a caller chooses the word, and may send many. */
const MOST_COMPARED = 25_000

/**
 * The candidates a misspelt `word` may have meant, nearest first, at most three. Near is one slip (a wrong, missing,
 * surplus or swapped character) per three characters, up to five, or one name beginning with the other, from three
 * characters on. When there are very many candidates, the last ones are compared only by their beginnings.
 */
export function suggest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.trim().toLowerCase()
  if (wanted === '' || wanted.length > LONGEST_WORD) return []
  const slips = Math.min(MOST_SLIPS, Math.max(1, Math.floor(wanted.length / 3)))
  const work = { left: MOST_COMPARED }
  const near: { name: string; distance: number }[] = []
  for (const name of candidates) {
    const lower = name.toLowerCase()
    const apart = Math.abs(lower.length - wanted.length)
    const begins =
      Math.min(wanted.length, lower.length) >= SHORTEST_BEGINNING &&
      (lower.startsWith(wanted) || wanted.startsWith(lower))
    if (!begins && (apart > slips || work.left <= 0)) continue
    const distance = begins ? Math.min(slips, apart) : editDistance(wanted, lower, slips, work)
    if (distance <= slips) near.push({ name, distance })
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return near.slice(0, MOST_SUGGESTIONS).map((candidate) => candidate.name)
}

const line = () => new Uint8Array(LONGEST_WORD + MOST_SLIPS + 1)
/** Shared by all comparisons: new lines for each would make a search take twice as long. */
const LINES = [line(), line(), line()] as const

/** Optimal string alignment distance, in which a swap of neighbours counts 1. Stops when it exceeds `most`. */
function editDistance(a: string, b: string, most: number, work: { left: number }): number {
  let [beforeLast, last, row] = LINES
  for (let column = 0; column <= b.length; column++) last[column] = column
  for (let i = 1; i <= a.length; i++) {
    row.fill(most + 1, 0, b.length + 1)
    if (i <= most) row[0] = i
    let least = row[0]!
    const to = Math.min(b.length, i + most)
    for (let j = Math.max(1, i - most); j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let best = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1)
      row[j] = best
      least = Math.min(least, best)
    }
    work.left -= 2 * most + 1
    if (least > most) return most + 1
    const free = beforeLast
    beforeLast = last
    last = row
    row = free
  }
  return last[b.length]!
}
