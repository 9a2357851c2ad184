import { catalog } from '../../generated/v1.35/catalog.ts';
import { unionTokenAuthenticator } from '../../runtime/authentication/token/token.ts';
import { alwaysAllow } from '../../runtime/authorization/authorizer.ts';
import { Policy } from '../../runtime/authorization/rbac/policy.ts';
import { LocalServiceAllocators } from '../../runtime/kinds/core/service/local-allocators.ts';
import { defaultServicesConfig } from '../../runtime/kinds/core/service/services-config.ts';
import { builtinStrategies, type StrategyOptions } from '../../runtime/kinds/strategies.ts';
import { isStatusError, type Status } from '../../runtime/machinery/errors/status.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import type { ResourceDefinition } from '../../runtime/machinery/resource.ts';
import { ResourceRegistry } from '../../runtime/resources/registry.ts';
import type { ResourceStore } from '../../runtime/resources/resource-store.ts';
import type { UpdateRequest, WriteContext, WriteResult, Writer } from '../../runtime/resources/rest.ts';
import { RESTMapper } from '../../runtime/resources/rest-mapper.ts';
import { ResourceStores, type StoresOptions } from '../../runtime/resources/stores.ts';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import { createMemoryEngine } from '../../runtime/storage/memory/memory-engine.ts';
import { openObjectStore } from '../../runtime/storage/object-store/object-store.ts';
import { holdFrozen } from './frozen-objects.ts';
import { ManualClock } from './manual-clock.ts';
import type { TestObject } from './test-object.ts';

export interface TestStores {
  readonly stores: ResourceStores;
  readonly clock: ManualClock;
  readonly warnings: string[];
  /** Returns the built-in resource `group/plural`, "" for the core group. Default version: v1. */
  of(resource: string, version?: string): Promise<TestResource>;
  close(): Promise<void>;
}

/** Opens the stores of built-in resources over an engine, without a server. */
export async function openTestStores(
  given: Partial<Omit<StrategyOptions, 'minor'>> = {},
  engine: Engine = createMemoryEngine(),
  parts: Pick<StoresOptions, 'admission' | 'leadership'> = {},
): Promise<TestStores> {
  const clock = new ManualClock();
  const isEmpty = engine.revision() === 1;
  const store = openObjectStore({ engine, clock });
  const registry = new ResourceRegistry();
  registry.add(catalog);
  const strategies = builtinStrategies({
    authorizer: alwaysAllow,
    tokens: unionTokenAuthenticator([]),
    audiences: [],
    ruleResolver: new Policy(),
    kinds: new RESTMapper(registry),
    minor: 35,
    serviceAllocators: new LocalServiceAllocators(defaultServicesConfig, () => stores),
    ...given,
  });
  const stores: ResourceStores = new ResourceStores({ registry, store, clock, strategies, ...parts });
  stores.onOpen(({ collection }) => holdFrozen(collection));
  const warnings: string[] = [];
  const of = async (resource: string, version = 'v1'): Promise<TestResource> => {
    const [group, plural] = resource.includes('/') ? resource.split('/') : ['', resource];
    const definition = await registry.definition({ group, version, resource: plural });
    return new TestResource(await stores.open(definition), definition, warnings);
  };
  if (isEmpty) await (await of('namespaces')).create({ metadata: { name: 'default' } });
  return { stores, clock, warnings, of, close: () => store.close() };
}

/** Creates the address range of services. */
export async function createServiceCIDR({ of }: TestStores, ...cidrs: string[]): Promise<void> {
  const serviceCIDRs = await of('networking.k8s.io/servicecidrs');
  if (serviceCIDRs.get('kubernetes') !== undefined) return;
  await serviceCIDRs.create({ metadata: { name: 'kubernetes' }, spec: { cidrs } });
}

const user = { name: 'tester', uid: 'u1', groups: ['testers'], extra: { scope: ['all'] } };

export class TestResource {
  readonly store: ResourceStore;
  readonly definition: ResourceDefinition;
  readonly #warnings: string[];

  constructor(store: ResourceStore, definition: ResourceDefinition, warnings: string[]) {
    this.store = store;
    this.definition = definition;
    this.#warnings = warnings;
  }

  writer(dryRun = false): Writer {
    return { user, dryRun, warn: (text) => this.#warnings.push(text) };
  }

  /** A write in the namespace `default`, of which strategies see who writes and where. */
  write(): WriteContext {
    return this.store.write('CREATE', this.definition, { namespace: this.#namespace() }, this.writer());
  }

  /** Creates an object in the namespace of its metadata, or in `default`. */
  async create(object: Partial<TestObject>, options: { dryRun?: boolean } = {}): Promise<TestObject> {
    const full = this.#complete(object);
    const namespace = this.#namespace(full.metadata.namespace);
    return this.#shown(await this.store.create(this.definition, full, namespace, this.writer(options.dryRun)));
  }

  async update(
    name: string,
    change: (object: TestObject) => unknown,
    options: Partial<UpdateRequest> & { dryRun?: boolean } = {},
  ): Promise<TestObject> {
    const { dryRun, ...request } = options;
    const written = await this.store.update(
      this.definition,
      {
        namespace: this.#namespace(),
        name,
        part: 'main',
        requireVersion: false,
        change: async (current) => {
          const object = current ?? this.#complete({ metadata: { name } });
          await change(object);
          return object;
        },
        ...request,
      },
      this.writer(dryRun),
    );
    return this.#shown(written);
  }

  async delete(name: string, options: object = {}) {
    return this.store.delete(this.definition, { namespace: this.#namespace(), name, ...options }, this.writer());
  }

  /** Returns undefined for a deleted object. */
  get(name: string, namespace?: string): TestObject | undefined {
    const stored = this.store.collection.latest().get(this.#namespace(namespace), name);
    return stored && this.definition.conversion.fromStorage(stored.decode());
  }

  async respond(object: Partial<TestObject>): Promise<TestObject> {
    const { create: respond } = this.store.strategy;
    if (respond === undefined) throw new Error(`${this.definition.kind} cannot be created without being stored`);
    return respond(this.#complete(object), this.write());
  }

  #namespace(namespace = 'default'): string {
    return this.definition.namespaced ? namespace : '';
  }

  #complete(object: Partial<TestObject>): TestObject {
    const { type } = this.definition;
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const full = type.prune({ apiVersion, kind: type.kind, metadata: {}, ...object }, new PruneContext());
    full.apiVersion = apiVersion;
    full.kind = type.kind;
    type.setDefaults(full);
    return full;
  }

  #shown(written: WriteResult): TestObject {
    return written.kind === 'object' ? written.object : this.definition.conversion.fromStorage(written.stored.decode());
  }
}

/** Returns the Status of a failed write. */
export async function failureOf(work: Promise<unknown>): Promise<Status> {
  try {
    await work;
  } catch (error) {
    if (isStatusError(error)) return error.status;
    throw error;
  }
  throw new Error('expected a failure');
}
