import { randomFrom } from '../support/random-numbers.ts'

/** Random choices determined by a seed. */
export class Dice {
  private readonly random: () => number

  constructor(seed: number) {
    this.random = randomFrom(seed)
    // Consecutive seeds begin with similar numbers.
    for (let i = 0; i < 5; i++) this.random()
  }

  /** From 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.random() * end)
  }

  /** Both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[this.below(list.length)] as T
  }

  /** Some of a list, in its order. */
  some<T>(list: readonly T[], count: number): T[] {
    const places = new Set<number>()
    while (places.size < Math.min(count, list.length)) places.add(this.below(list.length))
    return [...places].sort((a, b) => a - b).map((place) => list[place] as T)
  }
}
