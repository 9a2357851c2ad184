import { linearize } from '../linearizability/linearize.ts';
import { type ObjectInput, type ObjectOperation, type ObjectOutput, objectModel, type Version } from '../linearizability/object-model.ts';
import { shrink } from '../linearizability/shrink.ts';
import { ChangeLog } from './change-log.ts';
import { printed } from './print.ts';

/** The answer to a list: the objects by name, at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, Version>;
  readonly client: string;
}

/** An answer that tells which revision the store has reached. */
interface Told {
  readonly call: number;
  readonly return: number;
  readonly revision: number;
  /** The newest revision that may have been known before the call. Absent for what may be old. */
  readonly newest?: number;
  readonly about: string;
}

/** What all clients of a round asked and learned. */
export class History {
  readonly changes = new ChangeLog();
  readonly #operations = new Map<string, ObjectOperation[]>();
  readonly #told: Told[] = [];
  readonly #snapshots: Snapshot[] = [];
  readonly #waiting: (() => void)[] = [];
  #time = 0;
  readonly #counts = { answers: 0, failures: 0 };

  /** The next tick. */
  tick(): number {
    return ++this.#time;
  }

  /** How many requests were answered. */
  get answers(): number {
    return this.#counts.answers;
  }

  /** Resolves when `count` more requests were answered, or failed. */
  async progress(of: 'answers' | 'failures', count: number): Promise<void> {
    const goal = this.#counts[of] + count;
    while (this.#counts[of] < goal) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** One request for one object. Without an output, its outcome is not known. */
  operation(name: string, operation: Omit<ObjectOperation, 'return'>, output?: ObjectOutput): void {
    this.#record(name, operation, output);
    this.#count(output === undefined ? 'failures' : 'answers');
  }

  /** One request for something that no check is about. */
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

  /** @param call when it was asked for; absent for a list that may be old */
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

  /** @throws an error that shows the smallest history of one object that cannot be explained */
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

  /** Later writes have higher revisions, and lists are not older than what was known when they were asked for. */
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

  /** @param isComplete whether somebody saw all changes, deletions included */
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

/** Whether leaving it out cannot make others impossible. */
function isPassive({ input, output }: ObjectOperation): boolean {
  return input.type === 'read' || (output !== undefined && !changes(input, output));
}

const changes = (input: ObjectInput, { result }: ObjectOutput): boolean =>
  result === 'deleted' || (result === 'version' && input.type !== 'read');
