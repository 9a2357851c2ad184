import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { cloneWithDropped } from '../../machinery/prune/dropped-values.ts';
import type { Change, ChangeContext, Edit } from '../rest.ts';
import { applyFields, ownFields } from './managed-fields.ts';

/** A PUT: its body replaces the object. */
export class Replacement implements Change {
  readonly operation = 'Update';
  readonly #object: KubeObject;

  constructor(object: KubeObject) {
    this.#object = object;
  }

  change(write: ChangeContext): KubeObject | Promise<KubeObject> {
    return ownFields(cloneWithDropped(this.#object), write);
  }
}

/** A change by code, which edits a copy of the object. */
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

/** An apply by the server itself. It takes over the fields of other managers. */
export class ForcedApply implements Change {
  readonly operation = 'Apply';
  readonly config: KubeObject;
  readonly manager: string;

  /** @param config has kind and apiVersion; required fields may be missing */
  constructor(config: KubeObject, manager: string) {
    this.config = config;
    this.manager = manager;
  }

  async change(write: ChangeContext): Promise<KubeObject> {
    const merged = await applyFields(this.config, { manager: this.manager, force: true }, write);
    return write.changed.type.prune(merged, new PruneContext());
  }
}

/** Wraps an edit as a Change. */
export const changeBy = (change: Change | Edit): Change => (typeof change === 'function' ? new EditedObject(change) : change);
