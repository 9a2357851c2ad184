import type { Attributes } from '../../../machinery/admission.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { isStatusError, plainError } from '../../../machinery/errors/status.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { RegistryEntry } from '../../../resources/registry.ts';
import { objectsAt, requestedVersion, type VersionedObjects } from '../../conversion.ts';
import type { MatchedResource } from '../../predicates/match-rules.ts';
import type { SelectedWrite } from '../../predicates/object-matcher.ts';

interface Versioned {
  readonly equivalent: RegistryEntry | undefined;
  readonly objects: VersionedObjects;
}

/**
 * The object of a write while webhooks change it, at the version of the last webhook. It is converted only if the next
 * webhook needs another version. (admission.VersionedAttributes, ConvertVersionedAttributes)
 */
export class VersionedAttributes {
  readonly #attributes: Attributes;
  #versioned: Versioned | undefined;
  #isChanged = false;

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  /** The input of selectors: the write with the object as changed by webhooks. */
  get newest(): SelectedWrite {
    const object = this.#versioned?.objects.object;
    if (object === undefined) return this.#attributes;
    const { operation, definition, subresource, namespace, name, oldObject } = this.#attributes;
    return { operation, definition, subresource, namespace, name, object, oldObject };
  }

  /** Returns the objects at the version of a matched resource. @throws StatusError 500 */
  async at({ equivalent }: MatchedResource): Promise<VersionedObjects> {
    if (this.#versioned === undefined || this.#versioned.equivalent !== equivalent) {
      await this.finish();
      this.#versioned = { equivalent, objects: await objectsAt(this.#attributes, equivalent) };
    }
    return this.#versioned.objects;
  }

  /** Replaces the object. The new one has the version of the last call of `at`. */
  change(object: KubeObject): void {
    const { equivalent, objects } = this.#versioned as Versioned;
    this.#versioned = { equivalent, objects: { ...objects, object } };
    this.#isChanged = true;
  }

  /** Sets the changed object in the write. @throws StatusError 500 if it cannot be converted */
  async finish(): Promise<void> {
    if (!this.#isChanged || this.#versioned === undefined) return;
    this.#isChanged = false;
    const { equivalent, objects } = this.#versioned;
    const { definition, type } = this.#attributes;
    const { object } = objects;
    try {
      const from: ResourceDefinition = equivalent?.definition ?? definition;
      const converted = await requestedVersion(object as KubeObject, this.#attributes, from);
      // a custom resource keeps unknown fields until the last webhook has seen them
      this.#attributes.object = type.unstructured ? type.prune(converted, new PruneContext()) : converted;
    } catch (error) {
      throw isStatusError(error) ? error : plainError(messageOf(error));
    }
  }
}
