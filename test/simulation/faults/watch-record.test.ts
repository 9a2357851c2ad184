import { describe, expect, test } from '@jest/globals';
import type { WatchEvent } from '../../support/watch-stream.ts';
import { ChangeLog } from './change-log.ts';
import { WatchRecord } from './watch-record.ts';
import { dataOf, versionOf } from './wire.ts';

/** Returns an event. Default: a version of `a` by the write 7. */
const event = (type: string, revision: number, { name = 'a', mark = 7, uid = 'u' } = {}): WatchEvent => ({
  type,
  object: { metadata: { name, uid, resourceVersion: String(revision) }, data: dataOf(name, mark) },
});
const bookmark = (revision: number): WatchEvent => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(revision) } },
});

const [added, modified, deleted] = ['ADDED', 'MODIFIED', 'DELETED'].map(
  (type) =>
    (revision: number, about = {}): WatchEvent =>
      event(type, revision, about),
);

/** Returns a record that begins with an empty list at revision 10. */
function recordOf(events: readonly WatchEvent[], changes = new ChangeLog()): WatchRecord {
  const record = new WatchRecord('w', ['a', 'b'], changes);
  record.list(10, new Map());
  for (const one of events) record.take(one);
  return record;
}

describe('the record of a watch', () => {
  test('accepts a life, another watch of it, and what is said about other objects', () => {
    const changes = new ChangeLog();
    const life = [added(11), modified(12, { mark: 8 }), deleted(14, { mark: 8 }), bookmark(15), added(16, { mark: 9, uid: 'v' })];
    recordOf(life, changes).check();
    const other = recordOf([...life.slice(0, 2), added(13, { name: 'c' }), ...life.slice(2)], changes);
    other.check();
    expect([other.upTo, other.isComplete]).toEqual([16, true]);
  });

  test.each<[string, readonly WatchEvent[], string]>([
    ['an event twice', [added(11), added(11)], 'ADDED at 11 after 11: out of order'],
    ['an event that is late', [added(12), event('ADDED', 11, { name: 'b' })], 'ADDED at 11 after 12: out of order'],
    ['an event that a bookmark said was seen', [bookmark(12), added(12)], 'ADDED at 12 after 12: out of order'],
    ['a bookmark that goes back', [added(12), bookmark(11)], 'BOOKMARK at 11 after 12: out of order'],
    ['what was there before', [added(10)], 'ADDED at 10 after 10: out of order'],
    ['a second addition', [added(11), added(12, { mark: 8 })], 'ADDED at 12 after 11: '],
    ['a change of nothing', [modified(11)], 'MODIFIED at 11 after 10: '],
    ['the deletion of nothing', [deleted(11)], 'DELETED at 11 after 10: '],
    ['the deletion of a state that nobody saw', [added(11), deleted(12, { mark: 8 })], 'DELETED at 12 after 11: '],
    ['a change to another object of that name', [added(11), modified(12, { mark: 8, uid: 'v' })], 'MODIFIED at 12 after 11: '],
  ])('does not accept %s', (_, events, want) => {
    expect(() => recordOf(events)).toThrow(want);
  });

  test.each<[string, (changes: ChangeLog) => void]>([
    ['a write', (changes) => changes.note({ name: 'b', revision: 12, version: versionOf(event('ADDED', 12, { name: 'b' }).object) })],
    ['a deletion that another saw', (changes) => changes.note({ name: 'a', revision: 12 })],
  ])('misses %s between its events', (_, happen) => {
    const changes = new ChangeLog();
    const record = recordOf([added(11), bookmark(13)], changes);
    record.check();
    happen(changes);
    expect(() => record.check()).toThrow('w from 10 to 13');
  });

  test('does not miss what happened between its last event and its next list', () => {
    const changes = new ChangeLog();
    const record = recordOf([added(11)], changes);
    changes.note({ name: 'a', revision: 12 });
    record.list(13, new Map());
    record.take(added(14, { mark: 8, uid: 'v' }));
    record.check();
    expect([record.upTo, record.isComplete]).toEqual([14, false]);
  });
});
