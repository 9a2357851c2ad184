import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root, startKubeloom, type Target } from '../bench/target.ts';

const head = 'GET /api/v1/configmaps HTTP/1.1\r\nhost: x\r\n';
const unfinishedBody = 'POST /api/v1/configmaps HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{';
/** Milliseconds in which all descriptors must be closed: the server checks for dead connections every 5 s. */
const patience = 30_000;

describe('a client that resets its connections leaves no descriptor behind', () => {
  let server: Target;
  beforeAll(async () => {
    execFileSync(process.execPath, ['codegen/build/build.mjs', '--no-types'], { cwd: root, stdio: 'pipe' });
    server = await startKubeloom(['--storage=memory']);
  }, 120_000);
  afterAll(() => server?.close());

  const descriptors = (): number => readdirSync(`/proc/${server.pid}/fd`).length;

  test.each([
    ['in a head', head],
    ['in a body', unfinishedBody],
    ['while a response is sent', `${head}\r\n`],
    ['with 50 requests in line', `${head}\r\n`.repeat(50)],
  ])(
    '%s',
    async (_title, bytes) => {
      const before = descriptors();
      for (let round = 0; round < 16; round++) await resetSome(server, bytes, 5 * (round % 8));
      const deadline = performance.now() + patience;
      while (descriptors() > before && performance.now() < deadline) await setTimeout(200);
      expect(descriptors()).toBeLessThanOrEqual(before);
    },
    60_000,
  );
});

/** Opens eight connections, writes, waits, and resets them below TLS. */
async function resetSome({ credentials }: Target, bytes: string, ms: number): Promise<void> {
  const { host, port, ca, cert, key } = credentials;
  const sockets = Array.from({ length: 8 }, (): Socket => {
    const socket = connectPlain(port, host);
    const secured = connect({ socket, ca, cert, key, servername: 'localhost' });
    for (const one of [socket, secured]) one.on('error', () => undefined);
    secured.write(bytes);
    return socket;
  });
  await setTimeout(20 + ms);
  for (const socket of sockets) socket.resetAndDestroy();
}
