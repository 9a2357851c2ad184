import { messageOf } from '../machinery/errors/message-of.ts';
import { checkEventLoopBudget, checkEventLoopBytes } from '../machinery/event-loop/budget.ts';
import { quote } from '../machinery/go/quote.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import { jsonSize } from '../machinery/json/size.ts';
import { isDeeperThan, isJsonObject, memberOf, setMember } from '../machinery/json/values.ts';
import { maxDepth } from '../machinery/limits.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import { PatchError } from './patch-error.ts';

/** A lower bound for the list items moved per microsecond. */
const itemsPerMicrosecond = 4_000;

type Container = Json[] | JsonObject;

function fail(message: string): never {
  throw new PatchError('unprocessable', message);
}

/**
 * A document under a JSON patch. The original is not changed: an operation copies each container before its first
 * change.
 */
export class JsonPatchDocument {
  document: Json;
  readonly #copies = new WeakSet<object>();
  readonly #maxCopiedBytes: number;
  #copiedBytes = 0;
  #movedItems = 0;
  /** A container was added, so the document may have become deeper. */
  #hasAddedContainer = false;

  constructor(document: Json, maxCopiedBytes: number) {
    this.document = document;
    this.#maxCopiedBytes = maxCopiedBytes;
  }

  /**
   * Returns the value at a path; undefined for an absent member.
   *
   * @throws PatchError for an absent index
   */
  get(path: string): Json | undefined {
    if (path === '') return this.document;
    const { container, step } = this.#locate(path, false, `test operation does not apply: is missing path: ${path}`);
    return withContext(`error in test for path: '${path}'`, () => getStep(container, step));
  }

  add(path: string, value: Json, operation: 'add' | 'move' | 'copy'): void {
    this.#hasAddedContainer ||= containerOf(value) !== undefined;
    const location = operation === 'add' ? `path: ${quote(path)}` : `destination path: ${path}`;
    const missing = `${operation} operation does not apply: doc is missing ${location}`;
    const { container, step } = this.#locate(path, true, missing);
    const context = operation === 'copy' ? 'error while adding value during copy' : `error in ${operation} for path: '${path}'`;
    if (!Array.isArray(container)) setMember(container, step, value);
    else if (step === '-') container.push(value);
    else {
      const index = withContext(context, () => insertionIndex(step, container.length));
      this.#countMoved(container.length - index);
      container.splice(index, 0, value);
    }
  }

  remove(path: string): void {
    const missing = `remove operation does not apply: doc is missing path: ${quote(path)}`;
    const { container, step } = this.#locate(path, true, missing);
    this.#removeStep(container, step, `error in remove for path: '${path}'`);
  }

  replace(path: string, value: Json): void {
    this.#hasAddedContainer ||= containerOf(value) !== undefined;
    if (path === '') {
      if (containerOf(value) === undefined) fail('replace operation value must be object or array');
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
    const context = `error in move for path: '${step}'`;
    const value = withContext(context, () => getStep(container, step) ?? null);
    this.#removeStep(container, step, context);
    this.add(path, value, 'move');
  }

  copy(from: string, path: string): void {
    const value = this.#copySource(from);
    checkDepth(value);
    // upstream has no size for null, whose copy is no node
    if (value !== null) this.#copiedBytes += jsonSize(value);
    if (this.#copiedBytes > this.#maxCopiedBytes) {
      const limit = `exceeding the limit ${this.#maxCopiedBytes}`;
      fail(`Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, ${limit}`);
    }
    checkEventLoopBytes(this.#copiedBytes);
    this.add(path, cloneJson(value), 'copy');
  }

  #copySource(from: string): Json {
    const missing = `copy operation does not apply: doc is missing from path: ${from}`;
    const { container, step } = this.#locate(from, false, missing);
    return withContext(`error in copy for from: '${from}'`, () => getStep(container, step) ?? null);
  }

  /** Returns the document after all operations. Checks its depth, because operations can exceed the limit together. */
  result(): Json {
    if (this.#hasAddedContainer) checkDepth(this.document);
    return this.document;
  }

  #removeStep(container: Container, step: string, context: string): void {
    if (Array.isArray(container)) {
      const index = withContext(context, () => existingIndex(step, container.length));
      this.#countMoved(container.length - index);
      container.splice(index, 1);
    } else if (Object.hasOwn(container, step)) delete container[step];
    else fail(`${context}: Unable to remove nonexistent key: ${step}: missing value`);
  }

  /** Counts moved list items: thousands of operations at the front of a long list are slow. */
  #countMoved(items: number): void {
    this.#movedItems += items;
    checkEventLoopBudget(this.#movedItems / itemsPerMicrosecond);
  }

  /** Returns the container of the last step, and the step. With `write`, the container is a copy. */
  #locate(path: string, write: boolean, missing: string): { container: Container; step: string } {
    const steps = pointerSteps(path);
    const container = this.#find(steps, write);
    const step = steps?.at(-1);
    if (step === undefined || container === undefined) fail(`${missing}: missing value`);
    return { container, step };
  }

  #find(steps: readonly string[] | undefined, write: boolean): Container | undefined {
    if (steps === undefined) return undefined;
    let container = containerOf(this.document);
    if (container === undefined) return undefined;
    if (write) this.document = container = this.#copyOf(container);
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
        const copy = this.#copyOf(inner);
        if (Array.isArray(container)) container[index as number] = copy;
        else setMember(container, step, copy);
        container = copy;
      } else container = inner;
    }
    return container;
  }

  #copyOf(container: Container): Container {
    if (this.#copies.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#copies.add(copy);
    return copy;
  }
}

/** Keeps the document within the depth limit of decoders, because functions recurse over it. */
function checkDepth(value: Json): void {
  if (isDeeperThan(value, maxDepth)) fail('exceeded max depth');
}

/** Prefixes the message of an error. */
function withContext<T>(context: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return fail(`${context}: ${messageOf(error)}`);
  }
}

function containerOf(value: Json | undefined): Container | undefined {
  return Array.isArray(value) || isJsonObject(value) ? value : undefined;
}

function getStep(container: Container, step: string): Json | undefined {
  if (Array.isArray(container)) return container[existingIndex(step, container.length)];
  return memberOf(container, step);
}

/** @param step an existing index; -1 for the last item */
function existingIndex(step: string, length: number): number {
  const index = parseIndex(step);
  if (index >= length || index < -length) throw invalidIndex(step);
  return index < 0 ? index + length : index;
}

/** @param step an index to insert at; the length of the list or -1 for its end */
function insertionIndex(step: string, length: number): number {
  let index: number;
  try {
    index = parseIndex(step);
  } catch (error) {
    throw new Error(`value was not a proper array index: '${step}': ${messageOf(error)}`);
  }
  if (index > length || index < -(length + 1)) throw invalidIndex(step);
  return index < 0 ? index + length + 1 : index;
}

/** As Go's Atoi, this allows leading zeros and a sign, which RFC 6902 forbids. */
function parseIndex(step: string): number {
  if (!/^[+-]?[0-9]+$/.test(step)) throw new Error(`strconv.Atoi: parsing ${quote(step)}: invalid syntax`);
  return Number(step);
}

const invalidIndex = (step: string): Error => new Error(`Unable to access invalid index: ${step}: invalid index referenced`);

/** Returns the steps of a JSON pointer; undefined without a slash. Text before the first slash is ignored. */
export function pointerSteps(pointer: string): string[] | undefined {
  const first = pointer.indexOf('/');
  if (first < 0) return undefined;
  const steps = pointer.slice(first + 1).split('/');
  return pointer.includes('~') ? steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) : steps;
}
