import { expect, test } from 'bun:test'
import { NETWORKS } from '../../src/base/config/setting-kinds.ts'
import { ClientAddresses } from '../../src/http/client-ip.ts'

function clientsAt(socket: string | null, trusted: string | null): ClientAddresses {
  const clients = new ClientAddresses(trusted)
  clients.sockets = {
    requestIP: () => (socket === null ? null : { address: socket }),
    limitIdle: () => {},
  }
  return clients
}

function clientOf(socket: string | null, forwarded: string | null, trusted: string | null): string {
  const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
  return clientsAt(socket, trusted).of(new Request('http://localhost/', { headers }))
}

const PROXIES = '127.0.0.1, 10.0.0.0/8, fd00::/8'

test.each([
  ['no address is trusted by default', '127.0.0.1', '203.0.113.7', null, '127.0.0.1'],
  ['a trusted proxy is believed', '127.0.0.1', '203.0.113.7', PROXIES, '203.0.113.7'],
  ['any other sender is not believed', '198.51.100.1', '203.0.113.7', PROXIES, '198.51.100.1'],
  ['an address from the client is not believed', '10.1.1.1', '1.1.1.1, 203.0.113.7', PROXIES, '203.0.113.7'],
  ['a chain of proxies is skipped', '127.0.0.1', '203.0.113.7, 10.9.9.9, fd00::1', PROXIES, '203.0.113.7'],
  ['of trusted proxies alone, the first', '127.0.0.1', '10.0.0.5, 10.0.0.6', PROXIES, '10.0.0.5'],
  ['junk falls back to the socket', '127.0.0.1', 'unknown', PROXIES, '127.0.0.1'],
  ['so does junk behind a proxy', '127.0.0.1', '203.0.113.7, x, 10.0.0.1', PROXIES, '127.0.0.1'],
  ['junk further out does not matter', '127.0.0.1', 'x, 203.0.113.7', PROXIES, '203.0.113.7'],
  ['an empty header', '127.0.0.1', '', PROXIES, '127.0.0.1'],
  ['no header', '10.0.0.1', null, PROXIES, '10.0.0.1'],
  ['a port is left out', '127.0.0.1', '203.0.113.7:5678', PROXIES, '203.0.113.7'],
  ['brackets are left out too', '127.0.0.1', '[2001:DB8::1]:443', PROXIES, '2001:db8::1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:203.0.113.7', null, null, '203.0.113.7'],
  ['and is trusted as such', '::ffff:10.0.0.1', '203.0.113.7', PROXIES, '203.0.113.7'],
  ['no socket', null, '203.0.113.7', PROXIES, 'unknown'],
] as const)('%s', (_, socket, forwarded, trusted, expected) => {
  expect(clientOf(socket, forwarded, trusted)).toBe(expected)
})

test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/8/8', '::/129', '10.0.0.1,', '10.0.0', '10.0.0.0/-1'])(
  '%p is not a list of proxies',
  (text) => {
    expect(NETWORKS.parse(text)).toBeUndefined()
  },
)

test.each([
  ['a browser of this machine', '127.0.0.1', {}, null, true],
  ['over IPv6', '::1', {}, PROXIES, true],
  ['a browser using a public name', '127.0.0.1', { host: 'data.example.ro' }, null, false],
  ['another machine', '203.0.113.7', {}, null, false],
  ['one that claims to be this one', '203.0.113.7', { 'x-forwarded-for': '127.0.0.1' }, PROXIES, false],
  ['a proxy that is not named', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, null, false],
  ['a proxy that only names itself', '127.0.0.1', { via: '1.1 proxy' }, null, false],
  ['a proxy that names another machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, PROXIES, false],
  ['a client that added itself', '127.0.0.1', { 'x-forwarded-for': '::1, 203.0.113.7' }, PROXIES, false],
  ['a proxy that names this machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, PROXIES, true],
  [
    'a named proxy that names this machine',
    '127.0.0.1',
    { 'x-forwarded-for': '::1', host: 'data.example.ro' },
    PROXIES,
    true,
  ],
  ['a client behind two proxies', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1, 10.1.2.3' }, PROXIES, false],
  ['junk before a proxy', '127.0.0.1', { 'x-forwarded-for': 'bad, 10.1.2.3' }, PROXIES, false],
  ['a proxy that says nothing', '127.0.0.1', { 'x-forwarded-for': 'unknown' }, PROXIES, false],
  ['an address in another header', '127.0.0.1', { 'x-real-ip': '203.0.113.9' }, PROXIES, false],
  ['an address in the header of a CDN', '127.0.0.1', { 'cf-connecting-ip': '203.0.113.9' }, PROXIES, false],
  ['the standard header alone', '127.0.0.1', { forwarded: 'for=127.0.0.1' }, PROXIES, false],
  ['a remote proxy that names this machine', '10.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, PROXIES, false],
  ['no socket', null, {}, null, false],
] as const)('from this machine: %s', (_, socket, headers, trusted, expected) => {
  const request = new Request('http://localhost/', { headers: { host: 'localhost:3000', ...headers } })
  expect(clientsAt(socket, trusted).isLocal(request)).toBe(expected)
})
