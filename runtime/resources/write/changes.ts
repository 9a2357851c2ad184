import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { Change, ChangeContext, Edit } from '../rest.ts';
import { applyFields, ownFields } from './managed-fields.ts';

/** The body of a PUT takes the object's place. */
export class Replacement implements Change {
  readonly operation = 'Update';
  readonly #object: KubeObject;

  constructor(object: KubeObject) {
    this.#object = object;
  }

  change(write: ChangeContext): KubeObject | Promise<KubeObject> {
    return ownFields(cloneJson(this.#object), write);
  }
}

/** Code edits a copy of the object. */
export class EditedObject implements Change {
  readonly operation = 'Update';
  readonly #edit: Edit;

  constructor(edit: Edit) {
    this.#edit = edit;
  }

  async change(write: ChangeContext): Promise<KubeObject> {
    const { before } = write;
    return ownFields(await this.#edit(before && cloneJson(before)), write);
  }
}

/** A part of the server applies a configuration, and takes over the fields of other managers. */
export class ForcedApply implements Change {
  readonly operation = 'Apply';
  readonly #config: KubeObject;
  readonly #manager: string;

  /** @param config has kind and apiVersion; fields that an object must have may be missing */
  constructor(config: KubeObject, manager: string) {
    this.#config = config;
    this.#manager = manager;
  }

  async change(write: ChangeContext): Promise<KubeObject> {
    const merged = await applyFields(this.#config, { manager: this.#manager, force: true }, write);
    return write.changed.type.prune(merged, new PruneContext());
  }
}

/** Returns a change in code as a Change. */
export const changeBy = (change: Change | Edit): Change => (typeof change === 'function' ? new EditedObject(change) : change);
