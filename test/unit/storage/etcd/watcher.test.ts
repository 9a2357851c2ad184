import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '../../../../runtime/machinery/logger.ts';
import { encodeProgressRequest } from '../../../../runtime/storage/etcd/messages/watch.ts';
import { Watcher, type WatcherOptions } from '../../../../runtime/storage/etcd/watcher.ts';
import type { GRPCError } from '../../../../runtime/storage/grpc/grpc-status.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

type Client = WatcherOptions['client'];
type Handlers = Parameters<Client['openWatch']>[1];

/** The IDs that etcd chooses for the first two watches of a stream. */
const [mainWatch, compactionWatch] = [0, 1];

/** A watcher's streams. A test can send responses on each, and read the reason of its cancellation. */
class Streams {
  readonly opened: Stream[] = [];
  readonly #version: string;
  #wake: (() => void) | undefined;

  constructor(version: string) {
    this.#version = version;
  }

  readonly client = {
    connect: async () => ({ suspect: () => undefined }),
    status: async () => ({ version: this.#version }),
    openWatch: (_connection: unknown, handlers: Handlers) => {
      const stream = new Stream(handlers);
      this.opened.push(stream);
      this.#wake?.();
      return stream;
    },
  } as unknown as Client;

  /** Returns the stream number `count`. */
  async nth(count: number): Promise<Stream> {
    while (this.opened.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.opened[count - 1];
  }
}

class Stream {
  readonly sent: Uint8Array[] = [];
  canceled: string | undefined;
  /** The revision in responses to progress requests. Default: no response. */
  answer: number | undefined;
  readonly #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  send(message: Uint8Array): void {
    this.sent.push(message);
    const isAsked = Buffer.compare(message, encodeProgressRequest()) === 0;
    if (isAsked && this.answer !== undefined) this.respond({ watchId: -1, revision: this.answer });
  }

  cancel(error: GRPCError): void {
    this.canceled = error.description;
    this.#handlers.onEnd(error);
  }

  /** @param key the key of one change at that revision */
  respond(response: { watchId: number; revision?: number; created?: boolean; key?: string }): void {
    const { watchId, revision = 0, created = false, key } = response;
    const writer = new BinaryWriter();
    writer.uint32(10).fork().uint32(24).int64(revision).join();
    writer.uint32(16).int64(watchId).uint32(24).bool(created);
    if (key !== undefined) {
      writer.uint32(90).fork().uint32(18).fork();
      writer
        .uint32(10)
        .bytes(Buffer.from(key))
        .uint32(24)
        .int64(revision)
        .uint32(42)
        .bytes(Buffer.from(`${revision}`));
      writer.join().join();
    }
    this.#handlers.onMessage(Buffer.from(writer.finish()));
  }
}

describe('the watch of etcd', () => {
  let watcher: Watcher;
  let compactions: string[];
  afterEach(() => watcher.close());

  async function startWatcher(version = '3.5.21') {
    const streams = new Streams(version);
    const clock = new ManualClock();
    const warn = jest.fn();
    const seen: number[] = [];
    compactions = [];
    watcher = new Watcher({
      client: streams.client,
      clock,
      logger: { ...silentLogger, warn },
      key: '/registry/',
      rangeEnd: '/registry0',
      onProgress: (revision) => seen.push(revision),
      onLost: () => undefined,
      onCompaction: (value) => compactions.push(value),
    });
    const started = watcher.start(10);
    const stream = await streams.nth(1);
    stream.respond({ watchId: mainWatch, created: true });
    stream.respond({ watchId: compactionWatch, created: true });
    await started;
    return { streams, stream, clock, seen, warn };
  }

  test('is opened again where it stopped if a revision that must exist does not come for five seconds', async () => {
    const { streams, stream, clock } = await startWatcher();
    stream.respond({ watchId: mainWatch, revision: 11, key: '/registry/a' });
    watcher.need(12);
    clock.advance(4_900);
    expect(stream.canceled).toBeUndefined();
    clock.advance(300);
    expect(stream.canceled).toBe('the watch has stalled');
    const next = await streams.nth(2);
    next.answer = 12;
    next.respond({ watchId: mainWatch, created: true });
    next.respond({ watchId: mainWatch, revision: 12, key: '/registry/b' });
    clock.advance(60_000);
    expect(next.canceled).toBeUndefined();
  });

  test('lets the server choose IDs, which are different in each stream of some servers', async () => {
    const { streams, stream, clock, seen } = await startWatcher();
    watcher.need(11);
    clock.advance(5_100);
    expect(stream.canceled).toBe('the watch has stalled');
    const next = await streams.nth(2);
    next.respond({ watchId: 41, created: true });
    next.respond({ watchId: 42, created: true });
    next.respond({ watchId: 42, revision: 11, key: 'compact_rev_key' });
    next.respond({ watchId: 41, revision: 12, key: '/registry/a' });
    next.respond({ watchId: -1, revision: 12 });
    expect([seen, compactions]).toEqual([[12], ['11']]);
  });

  test('counts as stalled although compactions are told of', async () => {
    const { stream, clock } = await startWatcher();
    watcher.need(12);
    for (let second = 1; second <= 6; second++) {
      stream.respond({ watchId: compactionWatch, revision: 12, key: 'compact_rev_key' });
      clock.advance(1_000);
    }
    expect(stream.canceled).toBe('the watch has stalled');
  });

  test('does not count as stalled while events come, however far behind they are', async () => {
    const { stream, clock } = await startWatcher();
    watcher.need(100);
    for (let revision = 11; revision < 31; revision++) {
      stream.respond({ watchId: mainWatch, revision, key: '/registry/a' });
      clock.advance(1_000);
    }
    expect(stream.canceled).toBeUndefined();
  });

  test('is opened again where it stopped if it is silent and does not answer', async () => {
    const { streams, stream, clock } = await startWatcher();
    clock.advance(4_000);
    stream.respond({ watchId: mainWatch, revision: 11, key: '/registry/a' });
    clock.advance(10_900);
    expect(stream.canceled).toBeUndefined();
    clock.advance(4_100);
    expect(stream.canceled).toBe('the watch has stalled');
    await streams.nth(2);
  });

  test.each(['3.5.21', '3.4.23'])('of etcd %s stays open while it answers, and is seldom asked', async (version) => {
    const { stream, clock } = await startWatcher(version);
    stream.respond({ watchId: mainWatch, revision: 11, key: '/registry/a' });
    const requests = stream.sent.length;
    stream.answer = 11;
    clock.advance(600_000);
    expect(stream.canceled).toBeUndefined();
    expect(stream.sent.length - requests).toBeLessThanOrEqual(100);
  });

  test('of a silent member is asked more than once, as members do not answer while they have changes to send', async () => {
    const { stream, clock } = await startWatcher();
    stream.respond({ watchId: mainWatch, revision: 11, key: '/registry/a' });
    clock.advance(13_500);
    stream.answer = 11;
    clock.advance(60_000);
    expect(stream.canceled).toBeUndefined();
  });

  test('of an older member is opened again if it answers a revision whose event does not come', async () => {
    const { stream, clock, seen } = await startWatcher('3.4.23');
    stream.respond({ watchId: mainWatch, revision: 11, key: '/registry/a' });
    stream.answer = 12;
    clock.advance(20_000);
    expect(stream.canceled).toBe('the watch has stalled');
    expect(seen).toEqual([11]);
  });

  test('of an idle store begins again at a revision that exists, because before that there is no answer', async () => {
    const { streams, stream, clock, warn } = await startWatcher();
    clock.advance(15_000);
    expect(stream.canceled).toBe('the watch was canceled');
    const next = await streams.nth(2);
    next.answer = 10;
    next.respond({ watchId: mainWatch, created: true });
    clock.advance(600_000);
    expect(next.canceled).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
  });

  test('is asked for its progress until the revision is reached', async () => {
    const { stream, clock, seen } = await startWatcher();
    const requests = stream.sent.length;
    watcher.need(12);
    clock.advance(5);
    expect(stream.sent.length).toBe(requests + 1);
    stream.respond({ watchId: -1, revision: 12 });
    expect(seen).toEqual([12]);
    clock.advance(1_000);
    expect(stream.sent.length).toBe(requests + 1);
  });
});
