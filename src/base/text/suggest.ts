/** "Did you mean": known names that are close to an unknown one. */

const MOST_SUGGESTIONS = 3
/** Names are at most 64 characters (contract 3); longer input is no misspelling of one. */
const LONGEST_WORD = 72
/** Fewer characters begin too much: `c` would stand for any misspelt word with it. */
const SHORTEST_BEGINNING = 3

/**
 * The candidates a misspelt `word` may have meant, nearest first, at most three. Near is one slip (a wrong, missing,
 * surplus or swapped character) per three characters, or one name beginning with the other, from three characters on.
 */
export function suggest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.trim().toLowerCase()
  if (wanted === '' || wanted.length > LONGEST_WORD) return []
  const slips = Math.max(1, Math.floor(wanted.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const name of candidates) {
    const distance = distanceTo(wanted, name.toLowerCase(), slips)
    if (distance <= slips) near.push({ name, distance })
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return near.slice(0, MOST_SUGGESTIONS).map((candidate) => candidate.name)
}

function distanceTo(wanted: string, name: string, slips: number): number {
  const shorter = Math.min(wanted.length, name.length)
  if (shorter >= SHORTEST_BEGINNING && (name.startsWith(wanted) || wanted.startsWith(name))) {
    return Math.min(slips, Math.abs(name.length - wanted.length))
  }
  return Math.abs(name.length - wanted.length) > slips ? slips + 1 : editDistance(wanted, name)
}

/** Optimal string alignment distance: edits of one character, and swaps of two neighbours, each counting one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let best = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
