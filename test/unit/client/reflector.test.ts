import { afterEach, describe, expect, test } from '@jest/globals';
import type { ListOptions, WatchEvent, WatchOptions } from '../../../runtime/client/options.ts';
import { Reflector } from '../../../runtime/client/reflector.ts';
import type { ObjectList } from '../../../runtime/client/resource-client.ts';
import { gone, StatusError } from '../../../runtime/machinery/errors/status.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Thing {
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string };
}
type Step = WatchEvent<Thing>[] | Error;

const thing = (name: string, resourceVersion: string): Thing => ({ metadata: { name, resourceVersion } });
const event = (type: WatchEvent<Thing>['type'], name: string, version: string): WatchEvent<Thing> => ({
  type,
  object: thing(name, version),
});

/** A server with scripted lists and watches. The watch after the last one stays open. */
class Source {
  readonly asked: string[] = [];
  readonly lists: (ObjectList<Thing> | Error)[];
  readonly watches: Step[];
  /** Resolves at the end of the script. */
  readonly done: Promise<void>;
  #finish: () => void = () => undefined;

  constructor(lists: (ObjectList<Thing> | Error)[], watches: Step[]) {
    this.lists = lists;
    this.watches = watches;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async list({ limit, continue: next = '' }: ListOptions): Promise<ObjectList<Thing>> {
    this.asked.push(`list ${limit} ${next}`.trim());
    const given = this.lists.shift();
    if (given === undefined || given instanceof Error) throw given ?? new Error('no such list');
    return given;
  }

  async *watch({ resourceVersion, signal }: WatchOptions): AsyncGenerator<WatchEvent<Thing>> {
    this.asked.push(`watch ${resourceVersion}`);
    const step = this.watches.shift();
    if (step === undefined) {
      this.#finish();
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return;
    }
    if (step instanceof Error) throw step;
    yield* step;
  }
}

const list = (version: string, items: Thing[], next?: string): ObjectList<Thing> => ({
  metadata: { resourceVersion: version, continue: next },
  items,
});

describe('a reflector', () => {
  const clock = new ManualClock();
  let reflector: Reflector<Thing>;
  const errors: unknown[] = [];
  afterEach(() => {
    reflector.close();
    errors.length = 0;
  });
  /** Runs the script, regardless of the delays between its steps. */
  const follow = async (source: Source): Promise<Reflector<Thing>> => {
    reflector = new Reflector({ source, clock, onError: (error) => errors.push(error) });
    let isDone = false;
    void source.done.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      clock.advance(60_000);
    }
    return reflector;
  };

  test('knows what the pages of a list and the events after it say', async () => {
    const source = new Source(
      [list('7', [thing('a', '1'), thing('b', '2')], 'more'), list('7', [thing('c', '3')])],
      [[event('ADDED', 'd', '8'), event('DELETED', 'a', '9'), event('MODIFIED', 'b', '10'), event('BOOKMARK', '', '12')]],
    );
    const { hasSynced } = await follow(source);
    expect(hasSynced).toBe(true);
    expect(['a', 'b', 'c', 'd'].map((name) => reflector.get('', name)?.metadata.resourceVersion)).toEqual([undefined, '10', '3', '8']);
    expect(source.asked).toEqual(['list 500', 'list 500 more', 'watch 7', 'watch 12']);
    expect(errors).toEqual([]);
  });

  test('lists again when the events are gone, and forgets what is no longer there', async () => {
    const source = new Source([list('1', [thing('a', '1')]), list('9', [thing('b', '9')])], [gone('too old')]);
    await follow(source);
    expect([reflector.get('', 'a'), reflector.get('', 'b')?.metadata.resourceVersion]).toEqual([undefined, '9']);
    expect(source.asked).toEqual(['list 500', 'watch 1', 'list 500', 'watch 9']);
    expect(errors).toEqual([]);
  });

  test('tries again after errors, and after watches that end without an event', async () => {
    const refused = new StatusError({ message: 'no', reason: 'Forbidden', code: 403 });
    const source = new Source([refused, list('1', [thing('a', '1')])], [[], new Error('reset'), []]);
    await follow(source);
    expect(source.asked).toEqual(['list 500', 'list 500', 'watch 1', 'watch 1', 'watch 1', 'watch 1']);
    expect(errors).toEqual([refused, new Error('reset')]);
    expect(reflector.get('', 'a')).toBeDefined();
  });

  test('asks nothing more when it is closed', async () => {
    const source = new Source([list('1', [])], []);
    await follow(source);
    reflector.close();
    clock.advance(3_600_000);
    await new Promise(setImmediate);
    expect(source.asked).toEqual(['list 500', 'watch 1']);
  });
});
