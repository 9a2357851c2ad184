import type { Attributes, Operation, Reinvocation, Turn } from '../../machinery/admission.ts';
import type { JsonObject, KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Writer, WriteTarget } from '../rest.ts';
import type { Write } from './write.ts';

const optionsKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };

const ownOptions = (operation: Operation, { fieldManager }: Writer): JsonObject =>
  fieldManager && operation !== 'DELETE' ? { fieldManager } : {};

/**
 * A write in the form that admission plugins see in one step. Getters read the properties of the write, so nothing is
 * copied.
 */
export class WriteAttributes implements Attributes {
  readonly name: string;
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly reinvocation: Reinvocation = { isNeeded: false, isRunning: false };
  readonly #write: Write<WriteTarget, unknown>;

  constructor(write: Write<WriteTarget, unknown>, object: KubeObject | undefined, oldObject: KubeObject | undefined) {
    this.#write = write;
    const { name, admittedName = name } = write.target;
    this.name = admittedName ?? object?.metadata?.name ?? '';
    this.object = object;
    this.oldObject = oldObject;
  }

  get operation(): Operation {
    return this.#write.operation;
  }

  get definition(): ResourceDefinition {
    return this.#write.definition;
  }

  get subresource(): string {
    return this.#write.subresource;
  }

  get type(): TypeDefinition {
    return this.#write.type;
  }

  get namespace(): string {
    return this.#write.target.namespace;
  }

  get user(): UserInfo {
    return this.#write.writer.user;
  }

  get dryRun(): boolean {
    return this.#write.writer.dryRun;
  }

  get deadline(): number | undefined {
    return this.#write.writer.deadline;
  }

  get canMoveToWorker(): boolean {
    const { internal, canMoveToWorker = !internal } = this.#write.writer;
    return canMoveToWorker;
  }

  get turn(): Turn {
    return this.#write.turn;
  }

  /** Returns UpdateOptions for a patch. (patchToUpdateOptions) */
  options(operation: Operation): JsonObject | undefined {
    if (operation === 'CONNECT') return undefined;
    const { writer } = this.#write;
    return {
      kind: optionsKinds[operation],
      apiVersion: 'meta.k8s.io/v1',
      ...(writer.options ? writer.options(operation) : ownOptions(operation, writer)),
    };
  }

  onOutcome(callback: (stored: boolean) => void): void {
    this.#write.onOutcome(callback);
  }

  get warn(): (text: string) => void {
    return this.#write.warn;
  }

  addAnnotation(key: string, value: string, level?: 'Request'): void {
    this.#write.writer.addAnnotation?.(key, value, level);
  }
}
