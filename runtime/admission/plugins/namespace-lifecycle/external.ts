import type { Namespace } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { internalError, isStatusError } from '../../../machinery/errors/status.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { ExternalObjects, Lister, Listers } from '../../../resources/lister.ts';
import type { Plugin } from '../../plugin.ts';
import { concernsNamespace, refuseTerminating } from './rules.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/** Milliseconds that a creation waits for the namespace's watch event before it reads from the other server. */
const missingNamespaceWait = 50;

type StoredNamespace = Namespace & KubeObject;

/**
 * NamespaceLifecycle for the namespaces of another server, where newer namespaces may exist than the watch delivered.
 */
export class ExternalNamespaceLifecycle implements Plugin {
  readonly #listers: Listers;
  readonly #external: ExternalObjects;
  readonly #clock: Clock;
  #known: Lister<StoredNamespace> | undefined;

  constructor(listers: Listers, external: ExternalObjects, clock: Clock) {
    this.#listers = listers;
    this.#external = external;
    this.#clock = clock;
  }

  handles(operation: Operation, definition: ResourceDefinition): boolean {
    return concernsNamespace(operation, definition);
  }

  async start(): Promise<void> {
    this.#known = await this.#listers.open<StoredNamespace>(namespaces);
  }

  admit(attributes: Attributes): void | Promise<void> {
    if (attributes.namespace === '') return;
    const known = this.#get(attributes.namespace);
    if (known === undefined) return this.#lookUp(attributes);
    requireActive(attributes, known);
  }

  recheck(attributes: Attributes): void {
    const known = this.#get(attributes.namespace);
    if (known !== undefined) requireActive(attributes, known);
  }

  #get(name: string): StoredNamespace | undefined {
    return this.#known?.get('', name);
  }

  async #lookUp(attributes: Attributes): Promise<void> {
    const { namespace, operation } = attributes;
    if (operation === 'CREATE') {
      await new Promise<void>((resolve) => {
        this.#clock.after(missingNamespaceWait, resolve);
      });
    }
    requireActive(attributes, this.#get(namespace) ?? (await this.#ask(namespace)));
  }

  async #ask(name: string): Promise<StoredNamespace> {
    try {
      return (await this.#external.get(namespaces, '', name)) as StoredNamespace;
    } catch (error) {
      if (isStatusError(error) && error.status.reason === 'NotFound') throw error;
      throw internalError(messageOf(error));
    }
  }
}

function requireActive(attributes: Attributes, { status }: StoredNamespace): void {
  if (status?.phase === 'Terminating') refuseTerminating(attributes);
}
