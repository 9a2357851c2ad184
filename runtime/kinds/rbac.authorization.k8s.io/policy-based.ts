import type { Authorizer } from '../../authorization/authorizer.ts';
import { escalation } from '../../authorization/rbac/escalation.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '../../authorization/rbac/objects.ts';
import { rbacGroup } from '../../authorization/rbac/objects.ts';
import type { AuthorizationRuleResolver } from '../../authorization/rbac/rule-resolver.ts';
import { forbidden, notFound, plainError, type StatusError } from '../../machinery/errors/status.ts';
import { isOnlyMutatingGCFields } from '../../machinery/gc-fields.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { privilegedGroup } from '../../machinery/user-info.ts';
import type { RESTStrategies, RESTStrategy, WriteContext } from '../../resources/rest.ts';

/**
 * A writer of a role or binding must have the permissions that it grants.
 * (pkg/registry/rbac/{role,clusterrole,...}/policybased)
 */

export interface EscalationOptions {
  readonly authorizer: Authorizer;
  readonly ruleResolver: AuthorizationRuleResolver;
}

type AnyRole = Unvalidated<Role & Pick<ClusterRole, 'aggregationRule'>> & KubeObject;
type AnyBinding = Unvalidated<RoleBinding | ClusterRoleBinding> & KubeObject;

/** Returns the strategies of roles and bindings, by "group/plural". */
export function policyBasedStrategies(options: EscalationOptions): RESTStrategies {
  const roles: RESTStrategy = {
    prepareForCreate: (role, context) => checkRole(role, undefined, context, options),
    prepareForUpdate: (role, old, context) => checkRole(role, old, context, options),
  };
  const bindings: RESTStrategy = {
    prepareForCreate: (binding, context) => checkBinding(binding, undefined, context, options),
    prepareForUpdate: (binding, old, context) => checkBinding(binding, old, context, options),
  };
  return {
    [`${rbacGroup}/clusterroles`]: roles,
    [`${rbacGroup}/roles`]: roles,
    [`${rbacGroup}/clusterrolebindings`]: bindings,
    [`${rbacGroup}/rolebindings`]: bindings,
  };
}

/** All permissions, which a writer of an aggregated role needs. */
const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

async function checkRole(
  role: AnyRole,
  old: AnyRole | undefined,
  context: WriteContext,
  { authorizer, ruleResolver }: EscalationOptions,
): Promise<void> {
  const { user, namespace, definition, requestName = '' } = context;
  if (isEscalationAllowed(context)) return;
  const name = old === undefined ? requestName : (role.metadata.name ?? '');
  if (await isAuthorized(authorizer, context, { verb: 'escalate', resource: definition.resource, name })) return;
  if (old !== undefined && isOnlyMutatingGCFields(role, old)) return;
  const lacks = escalation(ruleResolver, user, namespace, role.rules ?? []);
  if (lacks !== undefined) throw refusal(role, context, lacks);
  if (!aggregates(role) && !aggregates(old)) return;
  if (escalation(ruleResolver, user, namespace, fullAuthority) === undefined) return;
  throw refusal(role, context, 'must have cluster-admin privileges to use the aggregationRule');
}

async function checkBinding(
  binding: AnyBinding,
  old: AnyBinding | undefined,
  context: WriteContext,
  { authorizer, ruleResolver }: EscalationOptions,
): Promise<void> {
  const { user, namespace, definition } = context;
  if (isEscalationAllowed(context)) return;
  if (old !== undefined && isOnlyMutatingGCFields(binding, old)) return;
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {};
  if (kind !== 'Role' && kind !== 'ClusterRole') throw plainError(`unsupported role reference kind: ${quote(kind)}`);
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (await isAuthorized(authorizer, context, { verb: 'bind', resource, name })) return;
  const rules = ruleResolver.roleReferenceRules({ apiGroup, kind, name }, namespace);
  // the error names the resource of the request, as upstream's does
  if (rules === undefined) throw notFound(definition, name);
  const lacks = escalation(ruleResolver, user, namespace, rules);
  if (lacks !== undefined) throw refusal(binding, context, lacks);
}

const refusal = ({ metadata }: KubeObject, { definition }: WriteContext, why: string): StatusError =>
  forbidden(definition, metadata.name ?? '', why);

/** (EscalationAllowed; upstream's own writes run as system:masters) */
export const isEscalationAllowed = ({ user, internal }: WriteContext): boolean =>
  internal === true || user.groups.includes(privilegedGroup);

/** Reports whether the user has the verb `escalate` or `bind`. (RoleEscalationAuthorized, BindingAuthorized) */
async function isAuthorized(
  authorizer: Authorizer,
  { user, namespace }: WriteContext,
  action: { readonly verb: string; readonly resource: string; readonly name: string },
): Promise<boolean> {
  const { decision } = await authorizer.authorize({
    ...action,
    user,
    namespace,
    isResourceRequest: true,
    path: '',
    group: rbacGroup,
    version: '*',
    subresource: '',
  });
  return decision === 'allow';
}

const aggregates = (role: AnyRole | undefined): boolean => (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
