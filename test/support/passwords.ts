import type { PasswordCost } from '../../src/accounts/people/passwords/password-hash.ts'

/** Two that the rules of the service accept. */
export const PASSWORD = 'girafe verzi pe acoperiș'
export const OTHER_PASSWORD = 'un alt cuvânt de trecere 7'

/** The least that argon2id takes, for tests that are not about hashing. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1 }
