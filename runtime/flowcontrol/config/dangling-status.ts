import type { Clock } from '../../machinery/clock.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { type ConfigStore, unlessOvertaken } from './config-store.ts';

/** As the managedFields of the status name who wrote it. */
const consumer = 'api-priority-and-fairness-config-consumer-v1';
/** Writes to one schema within `window` milliseconds: servers that disagree must not write without end. */
const mostWrites = 6;
const window = 60_000;

interface Condition {
  readonly type: 'Dangling';
  readonly status: 'True' | 'False';
  readonly reason: 'Found' | 'NotFound';
  readonly message: string;
}

/** Whether the level that a FlowSchema names exists, in words. */
function danglingCondition(level: string, exists: boolean): Condition {
  const head = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return exists
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${head} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${head} but there is no such object` };
}

/** Keeps the condition Dangling of every FlowSchema true to the levels. */
export class DanglingStatus {
  readonly #store: ConfigStore;
  readonly #clock: Clock;
  #recent: { readonly at: number; readonly name: string }[] = [];

  constructor(store: ConfigStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @param levels names of those that exist */
  async update(schemas: readonly KubeObject[], levels: ReadonlySet<string>): Promise<void> {
    const writes: Promise<void>[] = [];
    for (const schema of schemas) {
      const { name = '' } = schema.metadata;
      const level: string = schema.spec?.priorityLevelConfiguration?.name ?? '';
      const wanted = danglingCondition(level, levels.has(level));
      if (says(schema, wanted) || !this.#mayWrite(name)) continue;
      const lastTransitionTime = new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
      const status = { conditions: [{ ...wanted, lastTransitionTime }] };
      writes.push(unlessOvertaken(this.#store.applyStatus('flowschemas', name, status, consumer)));
    }
    await Promise.all(writes);
  }

  #mayWrite(name: string): boolean {
    const now = this.#clock.now();
    this.#recent = this.#recent.filter(({ at }) => now - at < window);
    if (this.#recent.filter((write) => write.name === name).length >= mostWrites) return false;
    this.#recent.push({ at: now, name });
    return true;
  }
}

function says(schema: KubeObject, wanted: Condition): boolean {
  const conditions: Part[] = schema.status?.conditions ?? [];
  const { status, reason, message } = conditions.find(({ type }) => type === wanted.type) ?? {};
  return status === wanted.status && reason === wanted.reason && message === wanted.message;
}
