import type { AdmittedRequest, Attributes, Operation, Reinvocation } from '../machinery/admission.ts';
import type { JsonObject, KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../machinery/resource.ts';
import type { UserInfo } from '../machinery/user-info.ts';

/** What the write of an object does for the plugins that admit it. */
interface AdmittedWrite {
  yieldTurn(): void;
  onOutcome(callback: (stored: boolean) => void): void;
}

/** One write as plugins see it. A class, because each write makes several. (apiserver pkg/admission attributesRecord) */
export class AttributesRecord implements Attributes {
  readonly operation: Operation;
  readonly namespace: string;
  readonly name: string;
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly reinvocation: Reinvocation = { isNeeded: false, isRunning: false };
  readonly #request: AdmittedRequest;
  readonly #write: AdmittedWrite;

  constructor(
    request: AdmittedRequest,
    write: AdmittedWrite,
    {
      operation,
      namespace,
      name,
      object,
      oldObject,
    }: Pick<Attributes, 'operation' | 'namespace' | 'name' | 'object' | 'oldObject'>,
  ) {
    this.#request = request;
    this.#write = write;
    this.operation = operation;
    this.namespace = namespace;
    this.name = name;
    this.object = object;
    this.oldObject = oldObject;
  }

  get definition(): ResourceDefinition {
    return this.#request.definition;
  }

  get subresource(): string {
    return this.#request.subresource;
  }

  get type(): TypeDefinition {
    return this.#request.type;
  }

  get user(): UserInfo {
    return this.#request.user;
  }

  get dryRun(): boolean {
    return this.#request.dryRun;
  }

  get deadline(): number | undefined {
    return this.#request.deadline;
  }

  get isRepeatable(): boolean | undefined {
    return this.#request.isRepeatable;
  }

  options(operation: Operation): JsonObject | undefined {
    return this.#request.options(operation);
  }

  warn(text: string): void {
    this.#request.warn(text);
  }

  addAnnotation(key: string, value: string, level?: 'Request'): void {
    this.#request.addAnnotation(key, value, level);
  }

  yieldTurn(): void {
    this.#write.yieldTurn();
  }

  onOutcome(callback: (stored: boolean) => void): void {
    this.#write.onOutcome(callback);
  }
}
