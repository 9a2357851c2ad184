import { describe, expect, test } from '@jest/globals';
import type { Bookmark } from '../../../../runtime/endpoints/encodings/bookmark.ts';
import type { ResponseEncoding } from '../../../../runtime/endpoints/encodings/response-encoding.ts';
import { WatchServer } from '../../../../runtime/endpoints/watch/watch-server.ts';
import type { StreamWriter } from '../../../../runtime/http/stream-writer.ts';
import type { Collection, ObjectEvent, StoredObject, WatchRequest } from '../../../../runtime/storage/object-store/contract.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const pendingLimit = 128 * 1024;

/** Accepts nothing until `open` is called. */
class Stuck implements StreamWriter {
  closed = false;
  pending = 0;
  written: string[] = [];
  how = '';
  #wake: (() => void)[] = [];
  #closers: (() => void)[] = [];

  write(chunk: Uint8Array): boolean {
    this.pending += chunk.length;
    this.written.push(Buffer.from(chunk).toString().trimEnd());
    return this.pending < 16 * 1024;
  }
  drained(): Promise<void> {
    return this.pending < 16 * 1024 ? Promise.resolve() : new Promise((resolve) => void this.#wake.push(resolve));
  }
  async flow(): Promise<void> {
    this.pending = 0;
    for (const wake of this.#wake.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  end(): void {
    this.#close('ended');
  }
  abort(): void {
    this.#close('cut');
  }
  onClose(listener: () => void): void {
    this.#closers.push(listener);
  }
  #close(how: string): void {
    if (this.closed) return;
    this.closed = true;
    this.how = how;
    for (const closer of this.#closers) closer();
    for (const wake of this.#wake.splice(0)) wake();
  }
}

function begin(size: number, history = 0, bookmarks = false) {
  const stream = new Stuck();
  const clock = new ManualClock();
  let emit: (event: ObjectEvent) => void = () => undefined;
  let lose: WatchRequest['onLost'];
  let revision = 0;
  const event = (): ObjectEvent => {
    const object = { revision: ++revision, jsonLength: size } as StoredObject;
    return { type: 'MODIFIED', revision, object };
  };
  const collection = {
    watch({ onEvent, onLost }: WatchRequest) {
      emit = onEvent;
      lose = onLost;
      for (let count = 0; count < history; count++) onEvent(event());
      return () => undefined;
    },
    progress: () => revision,
  } as unknown as Collection;
  const encoding = {
    encodeEvent: (_type: string, object: StoredObject) => Buffer.from(`${object.revision}`.padEnd(size)),
    encodeBookmark: ({ revision }: Bookmark) => Buffer.from(`bookmark ${revision}`),
  } as unknown as ResponseEncoding;
  const server = new WatchServer({ collection, encoding, stream, predicate: {} as never, clock, bookmarks, emptyObject: { metadata: {} } });
  const over = server.serve({ after: 0, bookmarkInitialEvents: false }, 3600_000);
  const send = (count: number): void => {
    for (let at = 0; at < count; at++) emit(event());
  };
  return {
    stream,
    clock,
    over,
    send,
    server,
    lose: () => lose?.(false),
    ready: new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('a watcher that does not read', () => {
  test('is sent no more than a limit, and the rest in order once it reads', async () => {
    const { stream, send, ready } = begin(1000);
    await ready;
    send(5000);
    expect(stream.pending).toBeLessThanOrEqual(pendingLimit + 1000);
    for (let round = 0; round < 1000 && stream.written.length < 5000; round++) await stream.flow();
    send(3);
    await stream.flow();
    expect(stream.written.map(Number)).toEqual(Array.from({ length: 5003 }, (_, at) => at + 1));
    stream.end();
  });

  test.each([
    ['more than 10,000 changes', 100, 12_000],
    ['more than 8 MiB of objects', 100_000, 100],
  ])('is terminated if it is behind %s', async (_what, size, count) => {
    const { stream, clock, over, send, ready } = begin(size);
    await ready;
    send(count);
    await over;
    expect(stream.pending).toBeLessThanOrEqual(pendingLimit + size);
    clock.advance(30_000);
    expect(stream.how).toBe('cut');
  });

  test('ends normally if it reads after all', async () => {
    const { stream, over, send, ready } = begin(1000);
    await ready;
    send(9000);
    await over;
    await stream.flow();
    expect(stream.how).toBe('ended');
  });

  test('may be behind by any amount of history that it asked for', async () => {
    const { stream, send, ready } = begin(100, 30_000);
    await ready;
    send(5000);
    for (let round = 0; round < 10_000 && stream.written.length < 35_000; round++) await stream.flow();
    expect(stream.written.length).toBe(35_000);
    stream.end();
  });
});

describe('a watch with bookmarks', () => {
  test('that the server ends has a last one', async () => {
    const { stream, send, server, over, ready } = begin(8, 0, true);
    await ready;
    send(2);
    server.end();
    await over;
    expect(stream.written).toEqual(['1', '2', 'bookmark 2']);
  });

  test('that ends because changes were lost has none', async () => {
    const { stream, send, lose, over, ready } = begin(8, 0, true);
    await ready;
    send(2);
    lose();
    await over;
    expect([stream.how, stream.written]).toEqual(['ended', ['1', '2']]);
  });
});
