import type { Admission, AdmittedRequest, Attributes, Operation } from '../machinery/admission.ts';
import type { JsonObject, KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { dedupOwnerReferencesAndAddWarning } from './owner-references.ts';
import { restoreManagedFields } from './restore-managed-fields.ts';

/** The object that a write is about. */
interface WrittenObject {
  readonly namespace: string;
  /** Default: the name that the object has. */
  readonly name?: string | undefined;
  /** What admission sees of an object that is about to be stored, as a Scale. Default: the object. */
  view?(object: KubeObject): KubeObject;
}

/**
 * The admission of one write, which may be attempted several times. Made by whoever writes; asked by create.ts, update.ts
 * and delete.ts. (apiserver pkg/registry/rest AdmissionToValidateObjectFunc and its like)
 */
export class WriteAdmission {
  readonly #chain: Admission;
  readonly #request: AdmittedRequest;
  readonly #written: WrittenObject;
  #outcomes: ((stored: boolean) => void)[] = [];
  /** Ends the turn of this write in the queue of its object. Set by the store while the write has a turn. */
  yieldTurn: () => void = () => undefined;

  constructor(chain: Admission, request: AdmittedRequest, written: WrittenObject) {
    this.#chain = chain;
    this.#request = request;
    this.#written = written;
  }

  /** Returns the object to go on with. @param old undefined on creation */
  admit(object: KubeObject, old: KubeObject | undefined): KubeObject | Promise<KubeObject> {
    const attributes = this.#attributes(old === undefined ? 'CREATE' : 'UPDATE', object, old);
    const { managedFields } = object.metadata;
    const pending = this.#chain.admit(attributes);
    const admitted = (): KubeObject => {
      const result = attributes.object as KubeObject;
      restoreManagedFields(result, managedFields, this.#request.warn);
      dedupOwnerReferencesAndAddWarning(result, this.#request.warn, 'admitted');
      return result;
    };
    return pending === undefined ? admitted() : pending.then(admitted);
  }

  /** @param old undefined on creation */
  validate(object: KubeObject, old: KubeObject | undefined): void | Promise<void> {
    this.settle(false);
    const { view = (one) => one } = this.#written;
    if (old === undefined) return this.#chain.validate(this.#attributes('CREATE', view(object), undefined));
    return this.#chain.validate(this.#attributes('UPDATE', view(object), view(old)));
  }

  /** Runs both steps for an object that is about to be deleted. */
  validateDelete(old: KubeObject): void | Promise<void> {
    return this.#both(this.#attributes('DELETE', undefined, old));
  }

  /** Runs both steps for a connection. @param options for example PodExecOptions */
  connect(options: KubeObject): void | Promise<void> {
    return this.#both(this.#attributes('CONNECT', options, undefined));
  }

  recheck(object: KubeObject): void {
    this.#chain.recheck(this.#attributes('CREATE', object, undefined));
  }

  /** Says whether the last attempt was stored. */
  settle(stored: boolean): void {
    if (this.#outcomes.length === 0) return;
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    for (const callback of outcomes) callback(stored);
  }

  #both(attributes: Attributes): void | Promise<void> {
    const pending = this.#chain.admit(attributes);
    return pending === undefined ? this.#chain.validate(attributes) : pending.then(() => this.#chain.validate(attributes));
  }

  #attributes(operation: Operation, object: KubeObject | undefined, oldObject: KubeObject | undefined): Attributes {
    const { namespace, name = object?.metadata?.name ?? '' } = this.#written;
    const { definition, subresource, type, user, dryRun, deadline, isRepeatable } = this.#request;
    // one literal without spreads, which take V8 twenty times as long
    return {
      operation,
      definition,
      subresource,
      type,
      namespace,
      name,
      user,
      dryRun,
      deadline,
      object,
      oldObject,
      isRepeatable,
      reinvocation: { isNeeded: false, isRunning: false },
      options: (of) => this.#request.options(of),
      warn: (text) => this.#request.warn(text),
      addAnnotation: (key, value, level) => this.#request.addAnnotation(key, value, level),
      yieldTurn: () => this.yieldTurn(),
      onOutcome: (callback) => this.#outcomes.push(callback),
    };
  }
}

const optionsKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };

/** The options of a write as an object: a patch has those of an update. Undefined for CONNECT. (patchToUpdateOptions) */
export const operationOptions = (operation: Operation, members: JsonObject = {}): JsonObject | undefined =>
  operation === 'CONNECT' ? undefined : { kind: optionsKinds[operation], apiVersion: 'meta.k8s.io/v1', ...members };

interface OwnWrite {
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly writer: Pick<AdmittedRequest, 'user' | 'dryRun'> & { readonly fieldManager?: string | undefined };
}

/** The admission of a write that the server makes itself, as one of its controllers. */
export function ownWriteAdmission(chain: Admission, { definition, subresource, writer }: OwnWrite, written: WrittenObject): WriteAdmission {
  const { user, dryRun, fieldManager } = writer;
  const request: AdmittedRequest = {
    definition,
    subresource,
    type: definition.type,
    user,
    dryRun,
    isRepeatable: false,
    options: (operation) => operationOptions(operation, fieldManager && operation !== 'DELETE' ? { fieldManager } : {}),
    warn: () => undefined,
    addAnnotation: () => undefined,
  };
  return new WriteAdmission(chain, request, written);
}
