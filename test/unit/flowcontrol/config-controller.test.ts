import { afterEach, describe, expect, test } from '@jest/globals';
import { mandatoryFlowSchemas, suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import { ConfigController } from '../../../runtime/flowcontrol/config/config-controller.ts';
import type { ConfigResource, ConfigStore } from '../../../runtime/flowcontrol/config/config-store.ts';
import { specsEqual, updateBootstrapObject } from '../../../runtime/flowcontrol/config/ensure-bootstrap.ts';
import { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import { autoUpdateAnnotation } from '../../../runtime/flowcontrol/objects.ts';
import { conflict } from '../../../runtime/machinery/errors/status.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

/** Objects by name, and the writes to them. */
class MemoryStore implements ConfigStore {
  readonly objects = {
    flowschemas: new Map<string, TestObject>(),
    prioritylevelconfigurations: new Map<string, TestObject>(),
  };
  readonly log: string[] = [];
  failing: Error | undefined;
  #onChange: () => void = () => undefined;

  list(resource: ConfigResource): TestObject[] {
    return structuredClone([...this.objects[resource].values()]);
  }

  watch(onChange: () => void): () => void {
    this.#onChange = onChange;
    return () => {
      this.#onChange = () => undefined;
    };
  }

  async create(resource: ConfigResource, object: TestObject): Promise<void> {
    this.#write('create', resource, object);
  }

  async update(resource: ConfigResource, name: string, change: (current: TestObject) => TestObject | undefined): Promise<void> {
    const next = change(structuredClone(this.objects[resource].get(name) as TestObject));
    if (next !== undefined) this.#write('main', resource, next);
  }

  async applyStatus(resource: ConfigResource, name: string, status: object): Promise<void> {
    this.#write('status', resource, { ...(this.objects[resource].get(name) as TestObject), status });
  }

  async remove(resource: ConfigResource, name: string): Promise<void> {
    this.objects[resource].delete(name);
    this.log.push(`remove ${resource} ${name}`);
    this.#onChange();
  }

  /** Writes like another client. */
  put(resource: ConfigResource, object: TestObject): void {
    this.objects[resource].set(object.metadata.name ?? '', object);
    this.#onChange();
  }

  drop(resource: ConfigResource, name: string): void {
    this.objects[resource].delete(name);
    this.#onChange();
  }

  #write(what: string, resource: ConfigResource, object: TestObject): void {
    if (this.failing) throw this.failing;
    const { name = '' } = object.metadata;
    this.log.push(`${what} ${resource} ${name}`);
    this.objects[resource].set(name, object);
    this.#onChange();
  }
}

const loops: ConfigController[] = [];
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
});

async function started(store = new MemoryStore()) {
  const clock = new ManualClock();
  const flowControl = new FlowControl({ clock, serverConcurrency: 600, sizeOf: () => undefined });
  const errors: unknown[] = [];
  const loop = new ConfigController({
    flowControl,
    store,
    clock,
    suggested: suggestedFlowSchemas,
    report: (error) => errors.push(error),
  });
  loops.push(loop);
  await loop.start();
  /** Resolves when all effects of a change are complete. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, flowControl, store, errors, settled, loop };
}

const schemaOf = (name: string, level: string, annotation?: string): TestObject => ({
  metadata: {
    name,
    generation: 1,
    annotations: annotation === undefined ? {} : { [autoUpdateAnnotation]: annotation },
  },
  spec: { matchingPrecedence: 500, priorityLevelConfiguration: { name: level }, rules: [] },
});

describe('the controller', () => {
  test('creates all objects at the start, and none if all exist', async () => {
    const { store } = await started();
    expect(store.log.filter((line) => line.startsWith('create'))).toHaveLength(19);
    expect(store.log.filter((line) => line.startsWith('status'))).toHaveLength(11);
    const before = store.log.length;
    await started(store);
    expect(store.log).toHaveLength(before);
  });

  test('applies objects and updates statuses when they change', async () => {
    const { store, flowControl, settled } = await started();
    store.put('flowschemas', schemaOf('mine', 'later'));
    await settled();
    expect(store.objects.flowschemas.get('mine')?.status.conditions[0]).toMatchObject({ status: 'True' });
    const { spec } = store.objects.prioritylevelconfigurations.get('workload-low') as TestObject;
    store.put('prioritylevelconfigurations', { metadata: { name: 'later' }, spec });
    await settled();
    expect(flowControl.priorityLevels.map(({ name }) => name)).toContain('later');
    expect(store.objects.flowschemas.get('mine')?.status.conditions).toMatchObject([{ status: 'False' }]);
  });

  test('retries every minute what failed before', async () => {
    const { store, clock, errors, settled } = await started();
    store.failing = new Error('disk full');
    store.drop('flowschemas', 'probes');
    await settled();
    expect([store.objects.flowschemas.has('probes'), errors]).toEqual([false, [store.failing]]);
    store.failing = undefined;
    clock.advance(60_000);
    await settled();
    expect(store.objects.flowschemas.has('probes')).toBe(true);
  });

  test('accepts conflicts with other writers', async () => {
    const { store, errors, settled } = await started();
    store.failing = conflict({ group: 'flowcontrol.apiserver.k8s.io', resource: 'flowschemas' }, 'probes', 'changed');
    store.drop('flowschemas', 'probes');
    await settled();
    expect(errors).toEqual([]);
  });

  test('gives up for a minute on a status that others write, too', async () => {
    const { store, clock, settled } = await started();
    store.put('flowschemas', schemaOf('fought-over', 'nowhere'));
    await settled();
    for (let round = 0; round < 10; round++) {
      store.put('flowschemas', schemaOf('fought-over', 'nowhere'));
      await settled();
    }
    const writes = (): number => store.log.filter((line) => line === 'status flowschemas fought-over').length;
    expect(writes()).toBe(6);
    clock.advance(60_000);
    await settled();
    expect(writes()).toBe(7);
  });

  test('updates borrowing every ten seconds', async () => {
    const { clock, flowControl } = await started();
    const updateBorrowing = flowControl.updateBorrowing.bind(flowControl);
    let times = 0;
    flowControl.updateBorrowing = () => {
      times++;
      updateBorrowing();
    };
    clock.advance(30_000);
    expect(times).toBe(3);
  });

  test('writes nothing once it is closed', async () => {
    const { store, clock, loop, settled } = await started();
    await loop.close();
    const before = store.log.length;
    store.drop('flowschemas', 'probes');
    clock.advance(120_000);
    await settled();
    expect(store.log).toHaveLength(before);
  });
});

describe('an object', () => {
  const wanted = suggestedFlowSchemas[0] as TestObject;
  const other = { ...wanted.spec, matchingPrecedence: 77 };
  const object = (annotation: string | undefined, generation: number, spec: object): TestObject => ({
    metadata: {
      name: 'x',
      generation,
      annotations: annotation === undefined ? {} : { [autoUpdateAnnotation]: annotation },
    },
    spec: structuredClone(spec),
  });

  test.each<[string, TestObject, boolean, string]>([
    ['that is as suggested', object('true', 1, wanted.spec), false, 'left'],
    ['that the server owns, changed', object('true', 3, other), false, 'true, wanted'],
    ['that an operator owns, changed', object('false', 3, other), false, 'left'],
    ['without the annotation, never changed', object(undefined, 1, other), false, 'true, wanted'],
    ['without the annotation, changed', object(undefined, 2, other), false, 'false, kept'],
    ['with an invalid annotation, changed', object('maybe', 2, other), false, 'false, kept'],
    ['with another spelling of true', object('T', 1, wanted.spec), false, 'left'],
    ['that is mandatory, owned by an operator', object('false', 2, other), true, 'true, wanted'],
  ])('%s', (_, current, mandatory, outcome) => {
    const next = updateBootstrapObject(current, wanted, mandatory);
    const result =
      next && `${next.metadata.annotations?.[autoUpdateAnnotation]}, ${specsEqual(next.spec, wanted.spec) ? 'wanted' : 'kept'}`;
    expect(result ?? 'left').toBe(outcome);
  });

  test.each<[string, object, string, string]>([
    ['has other shares', { type: 'Exempt', exempt: { nominalConcurrencyShares: 10, lendablePercent: 50 } }, 'true', 'left'],
    ['is owned by an operator', { type: 'Exempt', exempt: { nominalConcurrencyShares: 10 } }, 'false', 'true, 10'],
    ['has no shares', { type: 'Exempt' }, 'true', 'true, 0'],
  ])('the exempt level that %s', (_, spec, annotation, outcome) => {
    const exempt = mandatoryPriorityLevels.find(({ metadata }) => metadata.name === 'exempt') as TestObject;
    const next: TestObject | undefined = updateBootstrapObject(object(annotation, 2, spec), exempt, true);
    const result = next && `${next.metadata.annotations?.[autoUpdateAnnotation]}, ${next.spec.exempt.nominalConcurrencyShares}`;
    expect(result ?? 'left').toBe(outcome);
  });

  test('equals what Go writes without empty fields', () => {
    const { spec } = mandatoryFlowSchemas[0];
    expect(specsEqual(spec, { ...spec, distinguisherMethod: undefined, other: [], more: false, none: null })).toBe(true);
    expect(specsEqual({ shares: 0 }, {})).toBe(false);
    expect(specsEqual(['a', 'b'], ['b', 'a'])).toBe(false);
  });
});
