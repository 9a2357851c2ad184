import type { Attributes } from '../../machinery/admission.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../machinery/gvk.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { admittedNamespace } from '../predicates/namespace-matcher.ts';

/** The kind and the resource that a rule matched. Their version may differ from the request's. */
export interface Matched {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * Returns the value of `request` in expressions about a write. Empty strings are absent. (cel.CreateAdmissionRequest)
 */
export function createAdmissionRequest(attributes: Attributes, { kind, resource }: Matched): JsonObject {
  const { definition, type, subresource, name, operation, user, dryRun } = attributes;
  const namespace = admittedNamespace(attributes);
  const { groups, extra } = user;
  return {
    kind: kindOf(kind),
    resource: resourceOf(resource),
    requestKind: kindOf(type),
    requestResource: resourceOf(definition),
    ...present({ subResource: subresource, requestSubResource: subresource, name, namespace }),
    operation,
    userInfo: {
      ...present({ username: user.name, uid: user.uid }),
      ...(groups.length > 0 && { groups: [...groups] }),
      ...(Object.keys(extra).length > 0 && {
        extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
      }),
    },
    dryRun,
    options: attributes.options(operation) ?? null,
  };
}

const kindOf = ({ group, version, kind }: GroupVersionKind): JsonObject => ({ group, version, kind });
const resourceOf = ({ group, version, resource }: GroupVersionResource): JsonObject => ({ group, version, resource });

const present = (values: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
