import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../support/manual-clock.ts';
import { ObjectFixture, type Query, storages, withQuery } from '../../support/object-fixture.ts';
import type { WatchEvent } from '../../support/watch-stream.ts';

/** A watch on one of a session's streams. */
class Http2Watch {
  readonly stream: ClientHttp2Stream;
  readonly #lines: AsyncIterator<string>;

  constructor(session: ClientHttp2Session, path: string) {
    this.stream = session.request({ ':path': path });
    this.#lines = linesOf(this.stream);
  }

  /** Returns the next event; undefined at the end. */
  async next(): Promise<WatchEvent | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : JSON.parse(value);
  }

  async take(count: number): Promise<string[]> {
    const received: string[] = [];
    while (received.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the watch ended after ${received.length} events`);
      received.push(`${event.type} ${event.object.metadata.name}`);
    }
    return received;
  }
}

async function* linesOf(stream: ClientHttp2Stream): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) {
    const lines = (text + part).split('\n');
    text = lines.pop() ?? '';
    yield* lines.filter(Boolean);
  }
}

describe.each(storages)('watches over HTTP/2 of %s storage', (storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let session: ClientHttp2Session;
  let maps: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, { clock });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = fixture.server;
    // windows as large as in Go's clients
    session = connect(url, { ca, cert, key, settings: { initialWindowSize: 2 ** 22 } });
    if (session.connecting) await new Promise((resolve) => session.once('connect', resolve));
    session.setLocalWindowSize(2 ** 26);
    maps = await fixture.fresh();
  });
  afterEach(() => session.destroy());

  const watch = (query: Query = {}): Http2Watch =>
    new Http2Watch(session, withQuery(maps, { watch: '1', resourceVersion: fixture.server.revision(), ...query }));

  test('share one session, many at a time, each with its own selector', async () => {
    const watches = Array.from({ length: 100 }, (_, at) => watch({ fieldSelector: `metadata.name=m${at % 10}` }));
    for (let at = 0; at < 10; at++) await fixture.put(maps, `m${at}`);
    for (const [at, each] of watches.entries()) expect(await each.take(1)).toEqual([`ADDED m${at % 10}`]);
    expect(session.closed).toBe(false);
  });

  test('end one by one without ending the others', async () => {
    const cancelled = watch();
    const kept = watch();
    await fixture.put(maps, 'a');
    expect([await cancelled.take(1), await kept.take(1)]).toEqual([['ADDED a'], ['ADDED a']]);
    cancelled.stream.close(constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => cancelled.stream.once('close', resolve));
    await fixture.put(maps, 'b');
    expect(await kept.take(1)).toEqual(['ADDED b']);
    expect(session.destroyed).toBe(false);
  });

  test('end after timeoutSeconds with their streams', async () => {
    const short = watch({ timeoutSeconds: 5 });
    const long = watch({ timeoutSeconds: 500 });
    await fixture.put(maps, 'a');
    await short.take(1);
    await long.take(1);
    clock.advance(5_000);
    expect(await short.next()).toBeUndefined();
    expect(short.stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    await fixture.put(maps, 'b');
    expect(await long.take(1)).toEqual(['ADDED b']);
  });

  test('end if their client does not read, without ending the others', async () => {
    const slow = watch();
    await new Promise((resolve) => slow.stream.once('response', resolve));
    slow.stream.pause();
    const quick = watch();
    const big = 'x'.repeat(900_000);
    const total = 20;
    for (let count = 0; count < total; count++) {
      await fixture.put(maps, 'a', { data: { big, count: String(count) } });
      // each event at its arrival: on a busy machine the fast reader could otherwise be as slow as the other
      expect(await quick.take(1)).toEqual([count === 0 ? 'ADDED a' : 'MODIFIED a']);
    }
    let taken = 0;
    slow.stream.resume();
    for (let event = await slow.next(); event !== undefined; event = await slow.next()) taken++;
    expect(taken).toBeLessThan(total);
    await fixture.put(maps, 'b');
    expect(await quick.take(1)).toEqual(['ADDED b']);
  });
});
