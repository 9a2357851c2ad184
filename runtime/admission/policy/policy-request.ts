import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ExpressionAuthorizer } from '../../cel/library/authorizer.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { isStatusError, notFound } from '../../machinery/errors/status.ts';
import { formatGroupVersionKind } from '../../machinery/gvk.ts';
import type { JsonObject, KubeObject } from '../../machinery/object.ts';
import type { Lister } from '../../resources/lister.ts';
import type { EvaluationInputs } from '../cel/activation.ts';
import { createAdmissionRequest } from '../cel/admission-request.ts';
import { Decisions } from '../cel/decisions.ts';
import { type VersionedObjects, versionedObjects } from '../conversion.ts';
import type { MatchedResource } from '../predicates/match-rules.ts';
import { Arrivals } from '../retry-when-arrived.ts';
import { namespaceObject } from './namespace-object.ts';
import { ConfigurationError } from './policy.ts';

/** One write as policies see it. Caches values that several policies need, and values that were waited for. */
export class PolicyRequest {
  readonly attributes: Attributes;
  readonly authorizer: ExpressionAuthorizer;
  readonly waited = new Arrivals<string, unknown>();
  readonly #namespaces: Lister<KubeObject>;
  /** Requests by the matched resource: rarely more than one. */
  readonly #requests: { readonly matched: MatchedResource; readonly request: JsonObject }[] = [];

  constructor(attributes: Attributes, authorizer: Authorizer, namespaces: Lister<KubeObject>) {
    this.attributes = attributes;
    this.authorizer = new Decisions(attributes.user, authorizer);
    this.#namespaces = namespaces;
  }

  /** Returns the objects at the version by which a policy matched. @throws ConfigurationError */
  versioned({ equivalent, kind }: MatchedResource): VersionedObjects {
    const { attributes } = this;
    if (equivalent === undefined) return attributes;
    const key = `versioned ${formatGroupVersionKind(kind)}`;
    try {
      return this.waited.get(key, () => versionedObjects(attributes, equivalent)) as VersionedObjects;
    } catch (error) {
      if (!isStatusError(error)) throw error;
      throw new ConfigurationError(`failed to convert object version: ${error.message}`);
    }
  }

  /**
   * Returns the inputs of a policy's expressions. @param objects default: the objects of the write. @throws
   * ConfigurationError
   */
  inputs(
    matched: MatchedResource,
    params: KubeObject | undefined,
    { object, oldObject }: Pick<VersionedObjects, 'object' | 'oldObject'> = this.versioned(matched),
  ): EvaluationInputs {
    return {
      attributes: this.attributes,
      object,
      oldObject,
      params,
      authorizer: this.authorizer,
      request: () => this.#request(matched),
      namespaceObject: () => this.#namespace(),
    };
  }

  #request(matched: MatchedResource): JsonObject {
    let made = this.#requests.find((one) => isSame(one.matched, matched));
    if (made === undefined) {
      const { kind, facts: resource } = matched;
      made = { matched, request: createAdmissionRequest(this.attributes, { kind, resource }) };
      this.#requests.push(made);
    }
    return made.request;
  }

  /** Returns the namespace of the object; null for namespaces themselves, as upstream. */
  #namespace(): JsonObject | null {
    const { namespace } = this.attributes;
    if (namespace === '') return null;
    const found = this.#namespaces.get('', namespace);
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return namespaceObject(found);
  }
}

const isSame = (a: MatchedResource, b: MatchedResource): boolean =>
  a.kind.kind === b.kind.kind &&
  a.kind.version === b.kind.version &&
  a.kind.group === b.kind.group &&
  a.facts.resource === b.facts.resource &&
  a.facts.group === b.facts.group;
