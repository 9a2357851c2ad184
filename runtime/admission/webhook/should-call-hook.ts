import type { Authorizer } from '../../authorization/authorizer.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { forbidden } from '../../machinery/errors/status.ts';
import { createAdmissionRequest } from '../cel/admission-request.ts';
import { Decisions } from '../cel/decisions.ts';
import type { VersionedObjects } from '../conversion.ts';
import type { NamespaceMatcher } from '../predicates/namespace-matcher.ts';
import { matchesObject, type SelectedWrite } from '../predicates/object-matcher.ts';
import { retryWhenArrived } from '../retry-when-arrived.ts';
import type { PlannedHook } from './hook-source.ts';

/**
 * Reports whether the selectors of a webhook, whose rules match, select a write. (generic.Webhook ShouldCallHook)
 *
 * @throws StatusError if a selector cannot be evaluated
 */
export function selects({ hook }: PlannedHook, attributes: SelectedWrite, namespaces: NamespaceMatcher): boolean {
  return matchesObject(hook.objectSelector, attributes) && namespaces.matches(hook.namespaceSelector, attributes);
}

/**
 * Reports whether the match conditions of a webhook, which has selected the write, hold for it.
 *
 * @throws StatusError 403 if they cannot be evaluated
 */
export async function meetsConditions(
  { hook, matched }: PlannedHook,
  attributes: Attributes,
  { object, oldObject }: VersionedObjects,
  authorizer: Authorizer,
): Promise<boolean> {
  const { matchConditions, observer } = hook;
  if (matchConditions === undefined) return true;
  const request = () => createAdmissionRequest(attributes, { kind: matched.kind, resource: matched.facts });
  const decisions = new Decisions(attributes.user, authorizer);
  const result = await retryWhenArrived(() => matchConditions.match({ attributes, object, oldObject, request, authorizer: decisions }));
  if (result.error !== undefined) throw forbidden(attributes.definition, attributes.name, result.error);
  if (!result.matches) observer.excluded(attributes.operation);
  return result.matches;
}
