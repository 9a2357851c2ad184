import type { NamedRuleWithOperations } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Operation } from '../../machinery/admission.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';

/** A kind of write in the form of rules. */
export interface RequestedResource extends GroupVersionResource {
  readonly operation: Operation;
  /** "" for the resource itself. */
  readonly subresource: string;
  readonly namespaced: boolean;
}

/**
 * Reports whether a rule of a webhook or a policy matches this kind of write. Ignores object names, which only rules of
 * policies have. (apiserver pkg/admission/plugin/webhook/predicates/rules)
 */
export function matchesRule(rule: NamedRuleWithOperations, requested: RequestedResource): boolean {
  return (
    hasOrAll(rule.operations, requested.operation) &&
    hasOrAll(rule.apiGroups, requested.group) &&
    hasOrAll(rule.apiVersions, requested.version) &&
    hasScope(rule.scope, requested.namespaced) &&
    (rule.resources ?? []).some((one) => namesResource(one, requested))
  );
}

const hasOrAll = (items: readonly string[] | undefined, item: string): boolean =>
  items !== undefined && (items.includes('*') || items.includes(item));

function hasScope(scope: string | undefined, namespaced: boolean): boolean {
  switch (scope) {
    case undefined:
    case '*':
      return true;
    case 'Namespaced':
      return namespaced;
    default:
      return scope === 'Cluster' && !namespaced;
  }
}

/** `pods` is the resource alone, `pods/*` the resource and its subresources, `*` all resources without subresources. */
function namesResource(pattern: string, { resource, subresource }: RequestedResource): boolean {
  const slash = pattern.indexOf('/');
  const ownResource = slash === -1 ? pattern : pattern.slice(0, slash);
  const ownSubresource = slash === -1 ? '' : pattern.slice(slash + 1);
  return (ownResource === '*' || ownResource === resource) && (ownSubresource === '*' || ownSubresource === subresource);
}

const exemptKinds = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Reports whether a resource is exempt because it configures webhooks or policies, which could otherwise block their
 * own repair. (IsExemptAdmissionConfigurationResource)
 */
export const isExemptAdmissionConfigurationResource = ({ group, kind }: Pick<ResourceFacts, 'group' | 'kind'>): boolean =>
  group === 'admissionregistration.k8s.io' && exemptKinds.has(kind);
