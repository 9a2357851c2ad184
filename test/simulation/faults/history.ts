import { linearize } from '../linearizability/linearize.ts';
import { type ObjectInput, type ObjectOperation, type ObjectOutput, objectModel, type Version } from '../linearizability/object-model.ts';
import { shrink } from '../linearizability/shrink.ts';
import { ChangeLog } from './change-log.ts';
import { printed } from './print.ts';

/** The response to a list: the objects by name, at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, Version>;
  readonly client: string;
}

/** A response with the store's revision. */
interface Told {
  readonly call: number;
  readonly return: number;
  readonly revision: number;
  /** The newest known revision before the call. Absent for responses that may be stale. */
  readonly newest?: number;
  readonly about: string;
}

/** All requests and responses of a round. */
export class History {
  readonly changes = new ChangeLog();
  readonly #operations = new Map<string, ObjectOperation[]>();
  readonly #told: Told[] = [];
  readonly #snapshots: Snapshot[] = [];
  readonly #waiting: (() => void)[] = [];
  #time = 0;
  readonly #counts = { answers: 0, failures: 0 };

  /** Returns the next tick. */
  tick(): number {
    return ++this.#time;
  }

  /** The number of responses. */
  get answers(): number {
    return this.#counts.answers;
  }

  /** Resolves after `count` more responses, or failures. */
  async progress(of: 'answers' | 'failures', count: number): Promise<void> {
    const goal = this.#counts[of] + count;
    while (this.#counts[of] < goal) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Records a request for one object. Without an output, its outcome is unknown. */
  operation(name: string, operation: Omit<ObjectOperation, 'return'>, output?: ObjectOutput): void {
    this.#record(name, operation, output);
    this.#count(output === undefined ? 'failures' : 'answers');
  }

  /** Records a response that no check uses. */
  answered(): void {
    this.#count('answers');
  }

  #count(of: 'answers' | 'failures'): void {
    this.#counts[of]++;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #record(name: string, { client, input, call }: Omit<ObjectOperation, 'return'>, output?: ObjectOutput): void {
    const end = output === undefined ? Number.POSITIVE_INFINITY : this.tick();
    const operations = this.#operations.get(name) ?? [];
    this.#operations.set(name, operations);
    operations.push({ client, input, call, return: end, ...(output === undefined ? {} : { output }) });
    if (output?.result !== 'version') return;
    const { version } = output;
    this.changes.note({ name, revision: version.revision, version });
    const { revision } = version;
    const newest = input.type === 'read' ? {} : { newest: revision - 1 };
    this.#told.push({ call, return: end, revision, ...newest, about: `${client}: ${input.type} of ${name}` });
  }

  /** @param call the tick of the request; absent for a list that may be stale */
  snapshot(snapshot: Snapshot, names: readonly string[], call?: number): void {
    const { revision, objects, client } = snapshot;
    this.#snapshots.push(snapshot);
    this.#count('answers');
    for (const [name, version] of objects) this.changes.note({ name, revision: version.revision, version });
    if (call === undefined) return;
    for (const name of names) {
      const version = objects.get(name);
      const output: ObjectOutput = version === undefined ? { result: 'absent' } : { result: 'version', version };
      this.#record(name, { client, input: { type: 'read' }, call }, output);
    }
    this.#told.push({ call, return: this.tick(), revision, newest: revision, about: `${client}: list` });
  }

  /** @throws an error with the smallest inexplicable history of one object */
  checkObjects(): void {
    const model = objectModel(this.changes.written());
    for (const [name, operations] of this.#operations) {
      const known = operations.filter(({ input, output }) => input.type !== 'read' || output !== undefined);
      const result = linearize(model, known);
      if (result.ok) continue;
      if (result.gaveUp) throw new Error(`${name}: its ${known.length} operations are too many to find an order`);
      const small = shrink(model, known, isPassive);
      throw new Error(`no order explains the operations on ${name}:\n${printed(small)}`);
    }
  }

  /**
   * Checks that later writes have higher revisions, and that lists are not older than the revision known at their
   * request.
   */
  checkRevisions(): void {
    const returned = [...this.#told].sort((one, other) => one.return - other.return);
    let known: Told | undefined;
    let next = 0;
    for (const { call, revision, newest, about } of [...this.#told].sort((one, other) => one.call - other.call)) {
      for (; next < returned.length && returned[next].return < call; next++) {
        if (known === undefined || returned[next].revision > known.revision) known = returned[next];
      }
      if (known === undefined || newest === undefined || known.revision <= newest) continue;
      throw new Error(`revisions went back: ${about} has ${revision}, after ${known.about} had ${known.revision}`);
    }
  }

  /** @param isComplete a watcher saw all changes, deletions included */
  checkSnapshots(isComplete: boolean): void {
    for (const { revision, objects, client } of this.#snapshots) {
      const last = new Map<string, { revision: number; version?: Version }>();
      for (const change of this.changes.between(0, revision)) last.set(change.name, change);
      for (const [name, { revision: changed, version }] of last) {
        const found = objects.get(name);
        const isWrong = found === undefined ? version !== undefined && isComplete : found.revision !== changed;
        if (!isWrong) continue;
        const about = `a list by ${client} at ${revision} has ${name} of ${found?.revision ?? 'no revision'}`;
        throw new Error(`${about}, which changed at ${changed}`);
      }
    }
  }
}

/** Reports whether removal of the operation cannot make others impossible. */
function isPassive({ input, output }: ObjectOperation): boolean {
  return input.type === 'read' || (output !== undefined && !changes(input, output));
}

const changes = (input: ObjectInput, { result }: ObjectOutput): boolean =>
  result === 'deleted' || (result === 'version' && input.type !== 'read');
