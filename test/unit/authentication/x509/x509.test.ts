import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { respondText } from '../../../../runtime/http/respond.ts';
import { issueCertificate } from '../../../../runtime/serving/x509-certificate.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { RawTls } from '../../../support/raw-tls.ts';
import { http2Get, openSession, startTestServing, type TestServing } from '../../../support/test-serving.ts';

const path = '/api/v1/namespaces/x/pods/p';
const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const year = 365 * 24 * 3600 * 1000;

describe('client certificates', () => {
  let clock: ManualClock;
  let serving: TestServing;
  const open: { destroy(): void }[] = [];

  beforeEach(async () => {
    clock = new ManualClock();
    // TLS uses real time
    clock.advance(Date.now() - clock.now());
    serving = await startTestServing((ctx) => respondText(ctx, 200, ctx.state.user?.name ?? ''), { clock });
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.destroy();
    await serving.gracefulShutdown.close();
  });

  const connect = async (options: object = {}): Promise<RawTls> => {
    const connection = await RawTls.open(serving, 'http/1.1', options);
    open.push(connection);
    return connection;
  };
  const ask = async (connection: RawTls): Promise<number> => {
    connection.text = '';
    const text = await connection.send(request).until(/\r\n\r\n(kubernetes-admin|\{.*\}\s*)$/s);
    return Number(text.slice(9, 12));
  };

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s: that expire are rejected on the connection they opened', async (version) => {
    const connection = await connect({ minVersion: version, maxVersion: version });
    expect(await ask(connection)).toBe(200);
    clock.advance(year + 1000);
    expect(await ask(connection)).toBe(401);
  });

  test('that are not valid yet are rejected', async () => {
    const connection = await connect();
    clock.advance(-2 * 3600 * 1000);
    expect(await ask(connection)).toBe(401);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    '%s: a resumed session has the same user, as long as the certificate is valid',
    async (version) => {
      const versions = { minVersion: version, maxVersion: version };
      const first = await RawTls.open(serving, 'http/1.1', versions);
      open.push(first);
      expect(await ask(first)).toBe(200);
      // TLS 1.3 sends it after the handshake
      const session = first.socket.getSession();
      const again = await connect({ ...versions, session, cert: undefined, key: undefined });
      expect(again.socket.isSessionReused()).toBe(true);
      expect(await ask(again)).toBe(200);
      clock.advance(year + 1000);
      expect(await ask(again)).toBe(401);
      const late = await connect({ ...versions, session, cert: undefined, key: undefined });
      expect([late.socket.isSessionReused(), await ask(late)]).toEqual([true, 401]);
    },
  );

  test('over HTTP/2 are checked for expiry with each request', async () => {
    const session = openSession(serving);
    open.push(session);
    const status = async (): Promise<unknown> => {
      const stream = session.request({ ':path': path }).resume();
      const [headers] = await once(stream, 'response');
      return headers[':status'];
    };
    expect(await status()).toBe(200);
    clock.advance(year + 1000);
    expect(await status()).toBe(401);
  });

  test('that have expired are rejected at once', async () => {
    const from = Date.now() - 2 * year;
    const pair = issueCertificate({ commonName: 'late', use: 'client', from, until: from + year });
    expect((await http2Get(serving, path, { pair })).status).toBe(401);
  });
});
