import type { Clock } from '../../machinery/clock.ts';
import type { FlowSchema } from '../objects.ts';
import { type ConfigStore, ignoreNotFoundAndConflict } from './config-store.ts';

/** The field manager. (ConfigConsumerAsFieldManager) */
const fieldManager = 'api-priority-and-fairness-config-consumer-v1';
/** Writes to one schema within `writeWindow` milliseconds. Servers that disagree must not overwrite each other forever. */
const maxWrites = 6;
const writeWindow = 60_000;

/** The condition Dangling of a FlowSchema: whether its priority level is missing. */
interface DanglingCondition {
  readonly type: 'Dangling';
  readonly status: 'True' | 'False';
  readonly reason: 'Found' | 'NotFound';
  readonly message: string;
}

function danglingCondition(priorityLevel: string, exists: boolean): DanglingCondition {
  const head = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(priorityLevel)}`;
  return exists
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${head} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${head} but there is no such object` };
}

/** Maintains the Dangling conditions of all FlowSchemas. */
export class DanglingConditions {
  readonly #store: ConfigStore;
  readonly #clock: Clock;
  #recentWrites: { readonly at: number; readonly name: string }[] = [];

  constructor(store: ConfigStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @param priorityLevels the names of the existing levels */
  async update(flowSchemas: readonly FlowSchema[], priorityLevels: ReadonlySet<string>): Promise<void> {
    const writes: Promise<void>[] = [];
    for (const flowSchema of flowSchemas) {
      const { name = '' } = flowSchema.metadata;
      const priorityLevel = flowSchema.spec?.priorityLevelConfiguration?.name ?? '';
      const desired = danglingCondition(priorityLevel, priorityLevels.has(priorityLevel));
      if (hasCondition(flowSchema, desired) || !this.#mayWrite(name)) continue;
      const lastTransitionTime = new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
      const status = { conditions: [{ ...desired, lastTransitionTime }] };
      writes.push(ignoreNotFoundAndConflict(this.#store.applyStatus('flowschemas', name, status, fieldManager)));
    }
    await Promise.all(writes);
  }

  #mayWrite(name: string): boolean {
    const now = this.#clock.now();
    this.#recentWrites = this.#recentWrites.filter(({ at }) => now - at < writeWindow);
    if (this.#recentWrites.filter((write) => write.name === name).length >= maxWrites) return false;
    this.#recentWrites.push({ at: now, name });
    return true;
  }
}

function hasCondition(flowSchema: FlowSchema, desired: DanglingCondition): boolean {
  const current = flowSchema.status?.conditions?.find(({ type }) => type === desired.type);
  if (current === undefined) return false;
  const { status, reason, message } = current;
  return status === desired.status && reason === desired.reason && message === desired.message;
}
