/** A second process on a port that it shares: answers `there`, until it is killed. */

Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  reusePort: true,
  fetch: () => new Response('there'),
})
process.stdout.write('listening\n')
