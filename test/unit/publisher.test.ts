/** Who may publish where: the rule, without HTTP. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { KeyRecord } from '../../src/accounts/keys/key-lookup.ts'
import { type Domains, isScope, readScopes } from '../../src/accounts/keys/scopes.ts'
import { publisherOfAccount, publisherOfKey, requireDomain } from '../../src/accounts/people/publisher.ts'
import type { User } from '../../src/accounts/people/user.ts'
import { ApiError } from '../../src/base/errors.ts'

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'done'
}

const user = (role: User['role'], publisher_domains: User['publisher_domains']) =>
  ({ id: 3, role, publisher_domains }) as User

const key = (scopes: readonly string[], accountDomains: Domains, userId: number | null = 3) =>
  ({ keyId: 5, userId, scopes: readScopes(scopes), accountDomains }) as KeyRecord

describe('an account', () => {
  test('publishes in the domains of its role', () => {
    const all = publisherOfAccount(user('publisher', null))
    expect(all).toMatchObject({ accountId: 3, keyId: null, domains: 'all', by: 'account:3' })
    expect(codeOf(() => requireDomain(all, 'economy'))).toBe('done')
    const some = publisherOfAccount(user('publisher', ['economy']))
    expect(codeOf(() => requireDomain(some, 'economy'))).toBe('done')
    expect(codeOf(() => requireDomain(some, 'health'))).toBe('role_missing')
  })

  test('of a reader publishes nowhere', () => {
    expect(codeOf(() => publisherOfAccount(user('reader', [])))).toBe('role_missing')
  })
})

describe('a key', () => {
  test.each([
    // scopes, what its account may publish, the key alone, economy, health
    [['publish'], 'all', 'done', 'done', 'done'],
    [['publish'], ['economy'], 'done', 'done', 'role_missing'],
    [['publish:economy'], 'all', 'done', 'done', 'scope_missing'],
    [['publish:economy', 'publish:health'], ['economy'], 'done', 'done', 'role_missing'],
    [['publish:health'], ['economy'], 'done', 'scope_missing', 'role_missing'],
    [['publish'], [], 'role_missing', '', ''],
    [['read'], 'all', 'scope_missing', '', ''],
    [['read:economy'], [], 'scope_missing', '', ''],
  ] as const)('with %j of an account of %j: %s', (scopes, account, alone, economy, health) => {
    expect(codeOf(() => publisherOfKey(key(scopes, account)))).toBe(alone)
    if (alone !== 'done') return
    const publisher = publisherOfKey(key(scopes, account))
    expect(publisher.by).toBe('key:5')
    expect(codeOf(() => requireDomain(publisher, 'economy'))).toBe(economy)
    expect(codeOf(() => requireDomain(publisher, 'health'))).toBe(health)
  })

  test('may change what both its scopes and its account allow, and nothing else', () => {
    const domain = fc.constantFrom('a', 'b', 'c')
    const domains = fc.oneof(fc.constant('all' as const), fc.uniqueArray(domain, { minLength: 1 }))
    fc.assert(
      fc.property(domains, domains, domain, (scoped, account, asked) => {
        const scopes = scoped === 'all' ? ['publish'] : scoped.map((name) => `publish:${name}`)
        const publisher = publisherOfKey(key(scopes, account))
        const isIn = (some: Domains) => some === 'all' || some.includes(asked)
        const may = codeOf(() => requireDomain(publisher, asked)) === 'done'
        expect(may).toBe(isIn(scoped) && isIn(account))
      }),
    )
  })
})

test.each([...['read', 'publish', 'read:economy', 'read:economy/trade_2019', 'publish:economy']])(
  '%j is a scope',
  (text) => expect(isScope(text)).toBe(true),
)

test.each([
  ...['', 'write', 'Read', 'read:', 'read: economy', 'read:economy/', 'read:economy/a/b', 'read:Economy'],
  ...[
    'publish:economy/trade',
    'publish:',
    'publish:*',
    ' read',
    'read:economy:trade',
    `read:${'a'.repeat(65)}`,
  ],
])('%j is not a scope', (text) => expect(isScope(text)).toBe(false))
