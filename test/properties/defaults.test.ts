import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { fromUnstructured } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import { changed } from '../rules/changes.ts';
import type { TestObject, TestValue } from '../support/test-object.ts';
import { readSubjects, type Subject } from './subjects.ts';
import { merged } from './writes.ts';

interface DefaultingFunction {
  /** The value at the path before. Default: an empty object. */
  readonly given?: TestObject;
  /** Further values after. Default: none. */
  readonly gives?: TestObject;
}

/**
 * By path; "" for the object itself: the default value of an absent field, a part or a function, or several functions.
 */
type Paths = Readonly<Record<string, string | readonly string[] | { readonly value: TestValue }>>;

interface Table {
  readonly functions: Readonly<Record<string, DefaultingFunction>>;
  readonly parts: Readonly<Record<string, Paths>>;
  readonly kinds: Readonly<Record<string, Paths>>;
}

const { functions, parts, kinds }: Table = parse(readFileSync(new URL('./defaults.yaml', import.meta.url), 'utf8'));
const subjects = (await readSubjects()).filter(({ definition }) => definition.stored);

/** Returns an object with a value at the path. */
const at = (path: string, value: TestValue): TestValue => (path === '' ? value : changed(fromUnstructured({}), { [path]: value }));

/** Returns an object with a value at each path, and the same object with all defaults. */
function beforeAndAfter(paths: Paths): readonly [TestValue, TestValue] {
  let [before, after]: TestValue[] = [{}, {}];
  const add = (path: string, given: TestValue, gives: TestValue): void => {
    before = merged(before, at(path, given));
    after = merged(merged(after, at(path, given)), at(path, gives));
  };
  for (const [path, entry] of Object.entries(paths)) {
    if (typeof entry === 'object' && 'value' in entry) {
      const parent = path.slice(0, path.lastIndexOf('.'));
      add(parent, {}, { [path.slice(parent.length + 1)]: entry.value });
      continue;
    }
    for (const name of [entry].flat()) {
      const part = Object.hasOwn(parts, name) ? beforeAndAfter(parts[name]) : undefined;
      if (part !== undefined) add(path, ...part);
      if (Object.hasOwn(functions, name)) add(path, functions[name].given ?? {}, functions[name].gives ?? {});
      else if (part === undefined) throw new Error(`no function or part ${name}`);
    }
  }
  return [before, after];
}

/** Returns the decoded object with NOW for the current time. */
function decoded({ definition: { type, kind }, apiVersion }: Subject, object: TestObject, isDefaulted: boolean): TestValue {
  const result = { ...type.prune({ apiVersion, kind, ...object }, new PruneContext()), apiVersion, kind };
  if (isDefaulted) type.setDefaults(result);
  return JSON.parse(JSON.stringify(result, (key, value) => (key === 'timeAdded' ? 'NOW' : value)));
}

describe('the defaults of a kind are those of upstream, and no others', () => {
  test.each(subjects)('$title', (subject) => {
    const [before, after] = beforeAndAfter(kinds[subject.title] ?? {});
    const timed = JSON.parse(JSON.stringify(after).replaceAll('"NOW"', '"2026-01-01T00:00:00Z"'));
    expect(decoded(subject, before, true)).toEqual(decoded(subject, timed, false));
  });
});

test('no function, part or kind is listed in vain', () => {
  const used = [...Object.values(kinds), ...Object.values(parts)].flatMap((paths) => Object.values(paths)).flat();
  expect([...Object.keys(functions), ...Object.keys(parts)].filter((name) => !used.includes(name))).toEqual([]);
  expect(Object.keys(kinds).filter((title) => !subjects.some((subject) => subject.title === title))).toEqual([]);
});
