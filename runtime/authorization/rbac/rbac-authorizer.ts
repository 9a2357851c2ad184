import { elementAt } from '../../machinery/collections/element-at.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import { quote } from '../../machinery/go/quote.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from '../authorizer.ts';
import { type RequestedResource, requestedResource } from './compiled-rules.ts';
import { type RoleRef, rbacGroup, type Subject } from './objects.ts';
import type { Policy } from './policy.ts';
import type { Binding, Grant, SubjectIndex } from './subject-index.ts';

const noOpinion: AuthorizerDecision = { decision: 'no-opinion', reason: '' };

/** Allows a request if a role bound to the user allows it. (plugin/pkg/auth/authorizer/rbac) */
export class RBACAuthorizer implements Authorizer {
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  authorize(attributes: AuthorizerAttributes): AuthorizerDecision {
    const { user, namespace } = attributes;
    const search: Search = { attributes, requested: requestedResource(attributes), sawMissingRole: false };
    const decision =
      decide(this.#policy.bindingsIn(''), search) ?? (namespace === '' ? undefined : decide(this.#policy.bindingsIn(namespace), search));
    if (decision !== undefined) return decision;
    if (!search.sawMissingRole) return noOpinion;
    const { missing } = this.#policy.rulesFor(user, namespace);
    return { decision: 'no-opinion', reason: `RBAC: ${aggregate(missing.map(notFoundMessage))}` };
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const { rules, missing } = this.#policy.rulesFor(user, namespace);
    const resourceRules: UserRules['resourceRules'][number][] = [];
    const nonResourceRules: UserRules['nonResourceRules'][number][] = [];
    for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
      if (resources?.length) resourceRules.push(defined({ verbs, apiGroups, resources, resourceNames }));
      if (nonResourceURLs?.length) nonResourceRules.push({ verbs, nonResourceURLs });
    }
    const evaluationErrors = missing.map(notFoundMessage);
    const errors = missing.length === 0 ? {} : { evaluationError: aggregate(evaluationErrors), evaluationErrors };
    return { resourceRules, nonResourceRules, incomplete: false, ...errors };
  }
}

/** One request, with the state of the search for a grant. */
interface Search {
  readonly attributes: AuthorizerAttributes;
  readonly requested: RequestedResource;
  sawMissingRole: boolean;
}

function decide(index: SubjectIndex | undefined, search: Search): AuthorizerDecision | undefined {
  if (index === undefined) return undefined;
  const { user } = search.attributes;
  let found = firstThatAllows(index.users.get(user.name), search);
  for (const group of found === undefined ? user.groups : []) {
    found = firstThatAllows(index.groups.get(group), search);
    if (found !== undefined) break;
  }
  return found && allowedBy(index.firstOf(found, user));
}

function firstThatAllows(grants: readonly Grant[] | undefined, search: Search): Grant | undefined {
  if (grants === undefined) return undefined;
  for (const grant of grants) {
    const { rules } = grant.binding.role;
    if (rules === undefined) search.sawMissingRole = true;
    else if (rules.allows(search.attributes, search.requested)) return grant;
  }
  return undefined;
}

function allowedBy(grant: Grant): AuthorizerDecision {
  const { binding, subject } = grant;
  grant.allowed ??= {
    decision: 'allow',
    reason: `RBAC: allowed by ${describeBinding(binding)} to ${describeSubject(elementAt(binding.subjects, subject), binding.namespace)}`,
  };
  return grant.allowed;
}

function describeBinding({ namespace, name, roleRef }: Binding): string {
  const role = `${roleRef.kind} ${quote(roleRef.name)}`;
  return namespace === '' ? `ClusterRoleBinding ${quote(name)} of ${role}` : `RoleBinding ${quote(`${name}/${namespace}`)} of ${role}`;
}

function describeSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount' ? `ServiceAccount ${quote(`${name}/${namespace || bindingNamespace}`)}` : `${kind} ${quote(name)}`;
}

/** Returns the message of upstream's lister, which names the kind and not the resource. */
function notFoundMessage({ kind, name }: RoleRef): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${quote(kind)}`;
  return `${kind.toLowerCase()}.${rbacGroup} ${quote(name)} not found`;
}
