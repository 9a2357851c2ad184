import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change, Engine, KeyValue } from '../../../../runtime/storage/kv/engine.ts';
import { ValueEngine } from '../../../../runtime/storage/kv/value-engine.ts';
import { describeEngine, describeEngines } from '../../../contract/storage/describe-engine.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngines, type SharedMemory } from '../../../support/shared-engines.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const inverted = (value: Uint8Array): Uint8Array => value.map((byte) => 255 - byte);

/** Inverts values in the engine below. For some keys, the test delays the transformation or makes it fail. */
class InvertingEngine extends ValueEngine {
  readonly opened: string[] = [];
  readonly slow = new Map<string, Promise<void>>();

  protected toStorage(_key: string, value: Uint8Array): Uint8Array {
    return inverted(value);
  }

  protected fromStorage(stored: KeyValue): KeyValue | Promise<KeyValue> {
    const { key, createRevision, modRevision } = stored;
    this.opened.push(key);
    const value = inverted(stored.value);
    const slow = this.slow.get(key);
    const opened = { key, value, createRevision, modRevision };
    return slow === undefined ? opened : slow.then(() => opened);
  }
}

describeEngine('with inverted values', async () => {
  const { engines } = createMemoryEngines(1);
  return { engine: new InvertingEngine(engines[0]), dispose: async () => undefined };
});

describeEngines('those with inverted values', async (count) => {
  const { engines } = createMemoryEngines(count);
  return { engines: engines.map((engine) => new InvertingEngine(engine)), dispose: async () => undefined };
});

describe('an engine with other values below', () => {
  let clock: ManualClock;
  let shared: SharedMemory;
  let here: Engine;
  let there: InvertingEngine;
  let heard: string[];

  const show = (changes: readonly Change[]): string[] =>
    changes.map(({ type, key, revision, current }) => `${revision} ${type} ${key}=${text(current.value)}`);
  const put = (engine: Engine, key: string, value: string) => engine.write({ type: 'put', key, value: bytes(value), expect: 'any' });

  beforeEach(() => {
    clock = new ManualClock();
    shared = createMemoryEngines(2);
    here = new InvertingEngine(shared.engines[0], clock);
    there = new InvertingEngine(shared.engines[1], clock);
    heard = [];
    there.listen({
      onCommit: (changes) => heard.push(...show(changes), `at ${there.revision()}`),
      onLost: () => heard.push(`lost at ${there.revision()}`),
    });
  });
  afterEach(() => Promise.all([here.close(), there.close()]));

  test('does not read back what it has written', async () => {
    await put(there, 'a', 'written');
    expect(heard).toEqual(['2 put a=written', 'at 2']);
    expect(there.opened).toEqual([]);
    expect(text((await shared.memory.get('a'))?.value)).toBe(text(inverted(bytes('written'))));
  });

  test('reads what others have written before its listeners hear of it', async () => {
    await put(here, 'a', 'theirs');
    expect(heard).toEqual(['2 put a=theirs', 'at 2']);
  });

  test('keeps the order, and its revision, while a value takes long to read', async () => {
    let ready = (): void => undefined;
    there.slow.set(
      'slow',
      new Promise((resolve) => {
        ready = resolve;
      }),
    );
    await put(here, 'a', '1');
    await put(here, 'slow', '2');
    await put(here, 'b', '3');
    const writing = put(there, 'c', '4').then(() => heard.push('written'));
    await settle();
    expect([heard, there.revision()]).toEqual([['2 put a=1', 'at 2'], 2]);
    ready();
    await writing;
    expect(heard.slice(2)).toEqual(['3 put slow=2', 'at 3', '4 put b=3', 'at 4', '5 put c=4', 'at 5', 'written']);
  });

  test('reads a value again that could not be read at first', async () => {
    there.slow.set('a', Promise.reject(new Error('the key service is down')));
    await put(here, 'a', '1');
    await put(here, 'b', '2');
    await settle();
    expect(heard).toEqual([]);
    there.slow.delete('a');
    clock.advance(1000);
    await settle();
    expect(heard).toEqual(['2 put a=1', 'at 2', '3 put b=2', 'at 3']);
  });

  test('says that changes were lost only after those before', async () => {
    let ready = (): void => undefined;
    there.slow.set(
      'slow',
      new Promise((resolve) => {
        ready = resolve;
      }),
    );
    await put(here, 'slow', '1');
    shared.engines[1].hold();
    await put(here, 'b', '2');
    await shared.engines[1].lose();
    await settle();
    expect([heard, there.revision()]).toEqual([[], 1]);
    ready();
    await settle();
    expect(heard).toEqual(['2 put slow=1', 'at 2', 'lost at 3']);
  });

  test('has the last value of what is deleted, and the state that a conflict is due to', async () => {
    await put(here, 'a', 'last');
    expect(await there.write({ type: 'put', key: 'a', value: bytes('x'), expect: 0 })).toMatchObject({
      ok: false,
      current: { key: 'a', value: bytes('last') },
    });
    await here.write({ type: 'delete', key: 'a', expect: 2 });
    expect(heard.slice(2)).toEqual(['3 delete a=last', 'at 3']);
  });
});
