import { isStatusError } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type APIService, type APIServiceCondition, type APIServiceSpec, apiregistrationGroup } from './api-service.ts';

const resource = 'apiservices';

export const servesAPIServices = (stores: ResourceStores): boolean => stores.serves(apiregistrationGroup, 'v1', resource);

/** Receives each change, with the APIService after and before it. */
export type APIServiceListener = (name: string, current?: APIService, previous?: APIService) => void;

/** The stored APIServices, decoded once for each change, and the server's writes of them. */
export class APIServices {
  readonly #store: ResourceStore;
  readonly #writer: Writer;
  readonly #known = new Map<string, APIService>();
  readonly #listeners: APIServiceListener[] = [];
  readonly #stop: () => void;

  private constructor(store: ResourceStore, writer: Writer) {
    this.#store = store;
    this.#writer = writer;
    const snapshot = store.collection.latest();
    for (const stored of snapshot.scan()) this.#known.set(stored.name, decode(stored));
    this.#stop = store.collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object }) => this.#onChange(object.name, type === 'DELETED' ? undefined : decode(object)),
    });
  }

  /** Requires a server with APIServices. @param writer the author of the writes */
  static async open(stores: ResourceStores, writer: Writer): Promise<APIServices> {
    return new APIServices(await stores.byResource(apiregistrationGroup, 'v1', resource), writer);
  }

  /** Returns shared objects, which must not be changed. */
  all(): Iterable<APIService> {
    return this.#known.values();
  }

  get(name: string): APIService | undefined {
    return this.#known.get(name);
  }

  /** Calls `listener` with every APIService now, and then as `onChange`. */
  follow(listener: APIServiceListener): void {
    for (const [name, apiService] of this.#known) listener(name, apiService);
    this.onChange(listener);
  }

  /** Calls `listener` with every change before its write resolves. It must not throw. */
  onChange(listener: APIServiceListener): void {
    this.#listeners.push(listener);
  }

  /** Does nothing if the name is taken. */
  async create(name: string, labels: Record<string, string>, spec: APIServiceSpec): Promise<void> {
    const { definition } = this.#store;
    const object = {
      kind: definition.kind,
      apiVersion: `${apiregistrationGroup}/v1`,
      metadata: { name, labels },
      spec,
    };
    await unless('AlreadyExists', this.#store.create(definition, object, '', this.#writer));
  }

  /** Replaces the spec. Does nothing if the APIService has been deleted. */
  async updateSpec(name: string, spec: APIServiceSpec): Promise<void> {
    await unless(
      'NotFound',
      this.#update(name, 'main', (apiService) => Object.assign(apiService, { spec })),
    );
  }

  /** Sets the condition, which keeps its time unless its status changes. Does nothing if the APIService has been deleted. */
  async setCondition(name: string, condition: APIServiceCondition): Promise<void> {
    await unless(
      'NotFound',
      this.#update(name, 'status', (apiService) => {
        const { conditions = [] } = apiService.status ?? {};
        const at = conditions.findIndex(({ type }) => type === condition.type);
        conditions.splice(at < 0 ? conditions.length : at, 1, withTimeOf(conditions[at], condition));
        Object.assign(apiService, { status: { ...apiService.status, conditions } });
      }),
    );
  }

  /** Deletes this APIService, unless it is gone or replaced. */
  async delete({ metadata: { name = '', uid } }: APIService): Promise<void> {
    const request = { namespace: '', name, preconditions: defined({ uid }) };
    await unless('NotFound', unless('Conflict', this.#store.delete(this.#store.definition, request, this.#writer)));
  }

  close(): void {
    this.#stop();
  }

  async #update(name: string, part: 'main' | 'status', change: (apiService: APIService) => void): Promise<void> {
    const { definition } = this.#store;
    const request = { namespace: '', name, part, requireVersion: false };
    await this.#store.update(
      definition,
      {
        ...request,
        ...(part === 'status' ? { subresource: part } : {}),
        change(current) {
          change(current as APIService);
          return current as APIService;
        },
      },
      this.#writer,
    );
  }

  #onChange(name: string, current: APIService | undefined): void {
    const previous = this.#known.get(name);
    if (current === undefined) this.#known.delete(name);
    else this.#known.set(name, current);
    for (const listener of this.#listeners) listener(name, current, previous);
  }
}

/** Forks of a server share stored objects. */
const decoded = new WeakMap<StoredObject, APIService>();

function decode(stored: StoredObject): APIService {
  let known = decoded.get(stored);
  if (known === undefined) {
    const { metadata, ...apiService } = stored.decode() as APIService;
    const { managedFields: _unused, ...rest } = metadata;
    known = { ...apiService, metadata: rest };
    decoded.set(stored, known);
  }
  return known;
}

/** Returns the condition with the time of its last change of status. (SetAPIServiceCondition) */
function withTimeOf(known: APIServiceCondition | undefined, condition: APIServiceCondition): APIServiceCondition {
  if (known?.status !== condition.status) return condition;
  return defined({ ...condition, lastTransitionTime: known.lastTransitionTime });
}

async function unless(reason: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isStatusError(error) || error.status.reason !== reason) throw error;
  }
}
