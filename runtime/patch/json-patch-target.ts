import { checkEventLoopBudget } from '../machinery/event-loop/budget.ts';
import { quote } from '../machinery/go/quote.ts';

import { cloneJson } from '../machinery/json/clone.ts';
import { isDeeperThan, isJsonObject, memberOf, setMember } from '../machinery/json/values.ts';
import { maxDepth } from '../machinery/limits.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import { pointerSteps } from './json-pointer.ts';
import { PatchError } from './patch-error.ts';

/** How many items of a list the machine moves in a microsecond, at least. */
const itemsPerMicrosecond = 4_000;

type Container = Json[] | JsonObject;

function fail(message: string): never {
  throw new PatchError('unprocessable', message);
}

/**
 * The document while operations change it. Containers are copied the first time something in them changes, so
 * that the document given stays as it was, and a patch of many operations copies each container once.
 */
export class PatchTarget {
  document: Json;
  readonly #own = new WeakSet<object>();
  readonly #maxCopiedBytes: number;
  #copiedBytes = 0;
  #shifted = 0;
  /** A container was put somewhere: the document may be deeper than it was. */
  #nests = false;

  constructor(document: Json, maxCopiedBytes: number) {
    this.document = document;
    this.#maxCopiedBytes = maxCopiedBytes;
  }

  /** undefined for a member that is not there; an index that is not there throws. */
  get(path: string): Json | undefined {
    if (path === '') return this.document;
    const { container, step } = this.#locate(path, false, `test operation does not apply: is missing path: ${path}`);
    return during(`error in test for path: '${path}'`, () => getStep(container, step));
  }

  add(path: string, value: Json, operation: 'add' | 'move' | 'copy'): void {
    this.#nests ||= containerOf(value) !== undefined;
    if (path === '') {
      this.document = value;
      return;
    }
    const where = operation === 'add' ? `path: ${quote(path)}` : `destination path: ${path}`;
    const missing = `${operation} operation does not apply: doc is missing ${where}`;
    const { container, step } = this.#locate(path, true, missing);
    const what =
      operation === 'copy' ? 'error while adding value during copy' : `error in ${operation} for path: '${path}'`;
    if (!Array.isArray(container)) setMember(container, step, value);
    else if (step === '-') container.push(value);
    else {
      const index = during(what, () => insertionIndex(step, container.length));
      this.#shift(container.length - index);
      container.splice(index, 0, value);
    }
  }

  remove(path: string): void {
    const missing = `remove operation does not apply: doc is missing path: ${quote(path)}`;
    const { container, step } = this.#locate(path, true, missing);
    this.#removeStep(container, step, `error in remove for path: '${path}'`);
  }

  replace(path: string, value: Json): void {
    this.#nests ||= containerOf(value) !== undefined;
    if (path === '') {
      this.document = value;
      return;
    }
    const missing = 'replace operation does not apply: doc is missing';
    const { container, step } = this.#locate(path, true, `${missing} path: ${path}`);
    if (!Array.isArray(container)) {
      setMember(container, step, value);
      return;
    }
    try {
      container[existingIndex(step, container.length)] = value;
    } catch {
      fail(`${missing} key: ${path}: missing value`);
    }
  }

  move(from: string, path: string): void {
    const missing = `move operation does not apply: doc is missing from path: ${from}`;
    const { container, step } = this.#locate(from, true, missing);
    const what = `error in move for path: '${step}'`;
    const value = during(what, () => getStep(container, step) ?? null);
    this.#removeStep(container, step, what);
    this.add(path, value, 'move');
  }

  copy(from: string, path: string): void {
    const value = this.#copySource(from);
    checkDepth(value);
    this.#copiedBytes += jsonSize(value);
    if (this.#copiedBytes > this.#maxCopiedBytes) {
      const limit = `exceeding the limit ${this.#maxCopiedBytes}`;
      fail(`Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, ${limit}`);
    }
    this.add(path, cloneJson(value), 'copy');
  }

  #copySource(from: string): Json {
    if (from === '') return this.document;
    const missing = `copy operation does not apply: doc is missing from path: ${from}`;
    const { container, step } = this.#locate(from, false, missing);
    return during(`error in copy for from: '${from}'`, () => getStep(container, step) ?? null);
  }

  /** The document after all operations, which may have nested what each of them keeps within the decoders' limit. */
  result(): Json {
    if (this.#nests) checkDepth(this.document);
    return this.document;
  }

  #removeStep(container: Container, step: string, what: string): void {
    if (Array.isArray(container)) {
      const index = during(what, () => existingIndex(step, container.length));
      this.#shift(container.length - index);
      container.splice(index, 1);
    } else if (Object.hasOwn(container, step)) delete container[step];
    else fail(`${what}: Unable to remove nonexistent key: ${step}: missing value`);
  }

  /** Items of a list move up or down: thousands of operations at the front of a long list take a while. */
  #shift(items: number): void {
    this.#shifted += items;
    checkEventLoopBudget(this.#shifted / itemsPerMicrosecond);
  }

  /** The container around the last step and that step; with `write`, a container that may be changed. */
  #locate(path: string, write: boolean, missing: string): { container: Container; step: string } {
    const steps = pointerSteps(path);
    const container = this.#find(steps, write);
    if (steps === undefined || container === undefined) fail(`${missing}: missing value`);
    return { container, step: steps[steps.length - 1] };
  }

  #find(steps: readonly string[] | undefined, write: boolean): Container | undefined {
    if (steps === undefined || steps.length === 0) return undefined;
    let container = containerOf(this.document);
    if (container === undefined) return undefined;
    if (write) this.document = container = this.#owned(container);
    for (const step of steps.slice(0, -1)) {
      let index: string | number = step;
      if (Array.isArray(container)) {
        try {
          index = existingIndex(step, container.length);
        } catch {
          return undefined;
        }
      }
      const inner: Container | undefined = containerOf(memberOf(container as JsonObject, index as string));
      if (inner === undefined) return undefined;
      if (write) {
        const owned = this.#owned(inner);
        if (Array.isArray(container)) container[index as number] = owned;
        else setMember(container, step, owned);
        container = owned;
      } else container = inner;
    }
    return container;
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}

/** Recursive functions go no deeper than a decoded document may be. */
function checkDepth(value: Json): void {
  if (isDeeperThan(value, maxDepth)) fail('exceeded max depth');
}

/** Says what was being done when a step did not fit. */
function during<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    return fail(`${what}: ${(error as Error).message}`);
  }
}

function containerOf(value: Json | undefined): Container | undefined {
  return Array.isArray(value) || isJsonObject(value) ? value : undefined;
}

function getStep(container: Container, step: string): Json | undefined {
  if (Array.isArray(container)) return container[existingIndex(step, container.length)];
  return memberOf(container, step);
}

/** An index of the list; -1 is the last. */
function existingIndex(step: string, length: number): number {
  const index = parseIndex(step);
  if (index >= length || index < -length) throw invalidIndex(step);
  return index < 0 ? index + length : index;
}

/** A place to insert at; the length is the end, and so is -1. */
function insertionIndex(step: string, length: number): number {
  let index: number;
  try {
    index = parseIndex(step);
  } catch (error) {
    throw new Error(`value was not a proper array index: '${step}': ${(error as Error).message}`);
  }
  if (index > length || index < -(length + 1)) throw invalidIndex(step);
  return index < 0 ? index + length + 1 : index;
}

/** RFC 6902 forbids leading zeros and signs; only the minus is let through, as upstream. */
function parseIndex(step: string): number {
  if (!/^(0|-?[1-9][0-9]*)$/.test(step)) throw new Error(`strconv.Atoi: parsing ${quote(step)}: invalid syntax`);
  return Number(step);
}

const invalidIndex = (step: string): Error =>
  new Error(`Unable to access invalid index: ${step}: invalid index referenced`);

/** Bytes of the value as compact JSON. */
function jsonSize(value: Json): number {
  if (value === null) return 4;
  switch (typeof value) {
    case 'object': {
      const items = Array.isArray(value) ? value.map(jsonSize) : Object.entries(value).map(memberSize);
      return 1 + items.length + (items.length === 0 ? 1 : 0) + items.reduce((sum, size) => sum + size, 0);
    }
    case 'bigint':
      return value.toString().length;
    default:
      return Buffer.byteLength(JSON.stringify(value));
  }
}

const memberSize = ([key, value]: [string, Json]): number => jsonSize(key) + 1 + jsonSize(value);
