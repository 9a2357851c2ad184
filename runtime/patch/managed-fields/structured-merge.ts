import { badRequest, plainError } from '../../machinery/errors/status.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import type { TypedObject } from '../apply/typed-object.ts';
import type { Updater } from '../apply/updater.ts';
import { isTypedError } from '../typed/typed-error.ts';
import { validateTyped } from '../typed/validate.ts';
import { objectText } from './gvk-text.ts';
import type { Managed, ManagedObject, Manager } from './manager.ts';

/** What a step that changed nothing has in place of an object. */
export interface Unchanged {
  readonly managed: Managed;
}

/** Works out who owns what, by the schema of one version. */
export class StructuredMerge {
  readonly #updater: Updater;
  readonly #schema: MergeSchema;
  readonly #apiVersion: string;

  constructor(updater: Updater, schema: MergeSchema, apiVersion: string) {
    this.#updater = updater;
    this.#schema = schema;
    this.#apiVersion = apiVersion;
  }

  update(live: KubeObject, next: KubeObject, { fields, times }: Managed, manager: string): ManagedObject {
    const managers = this.#updater.update(this.#typed(live), this.#typed(next), fields, manager);
    return { object: next, managed: { fields: managers, times } };
  }

  /** Without an object: nothing changed. @throws ConflictError, StatusError 400, 500 */
  apply(
    live: KubeObject,
    config: KubeObject,
    { fields, times }: Managed,
    manager: string,
    force: boolean,
  ): ManagedObject | Unchanged {
    if (config.apiVersion !== this.#apiVersion) {
      const message = 'Incorrect version specified in apply patch. Specified patch version: ';
      throw badRequest(`${message}${config.apiVersion ?? ''}, expected: ${this.#apiVersion}`);
    }
    if (config.metadata?.managedFields) throw badRequest('metadata.managedFields must be nil');
    this.#validate(config, 'patch', false);
    this.#validate(live, 'live', true);
    const result = this.#updater.apply(this.#typed(live), this.#typed(config), fields, manager, force);
    const managed: Managed = { fields: result.managers, times };
    return result.object === undefined ? { managed } : { object: result.object, managed };
  }

  #validate(object: KubeObject, what: string, allowDuplicates: boolean): void {
    try {
      validateTyped(object as Json, this.#schema, { allowDuplicates });
    } catch (error) {
      if (!isTypedError(error)) throw error;
      throw plainError(`failed to create typed ${what} object (${objectText(object)}): ${error.message}`);
    }
  }

  #typed(object: KubeObject): TypedObject {
    return { object, apiVersion: this.#apiVersion, schema: this.#schema };
  }
}

/** The part of a Manager that `StructuredMerge` does. */
export interface Merging {
  update: Manager['update'];
  apply(...args: Parameters<Manager['apply']>): ManagedObject | Unchanged;
}
