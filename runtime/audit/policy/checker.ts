import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { GroupResources, Policy, PolicyRule, RequestAuditConfig, Stage } from '../types.ts';

/** The attributes of a request that rules match. RequestInfo has them. */
export interface PolicyAttributes {
  readonly isResourceRequest: boolean;
  /** Decoded. */
  readonly path: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The number of verb and resource pairs with cached rules. */
const maxCached = 1024;

/**
 * Finds the first rule that matches a request. The rules for each pair of verb and resource are cached; usually there
 * is only one. (policy.NewPolicyRuleEvaluator)
 */
export class PolicyRuleEvaluator {
  readonly #rules: readonly CompiledRule[];
  readonly #default: RequestAuditConfig;
  readonly #byKind = new BoundedMap<string, readonly CompiledRule[]>(maxCached);

  constructor({ rules = [], omitStages = [], omitManagedFields = false }: Policy) {
    this.#rules = rules.map((rule) => new CompiledRule(rule, omitStages, omitManagedFields));
    this.#default = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  }

  /** @param user undefined before authentication, and after it failed */
  evaluate(request: PolicyAttributes, user: UserInfo | undefined): RequestAuditConfig {
    for (const rule of this.#candidates(request)) if (rule.matches(request, user)) return rule.config;
    return this.#default;
  }

  #candidates(request: PolicyAttributes): readonly CompiledRule[] {
    const { isResourceRequest, verb, group, resource, subresource } = request;
    const kind = isResourceRequest ? `${verb} ${group} ${resource} ${subresource}` : verb;
    let found = this.#byKind.get(kind);
    if (found === undefined) {
      found = this.#rules.filter((rule) => rule.canMatch(request));
      this.#byKind.set(kind, found);
    }
    return found;
  }
}

class CompiledRule {
  readonly config: RequestAuditConfig;
  readonly #users: ReadonlySet<string> | undefined;
  readonly #userGroups: ReadonlySet<string> | undefined;
  readonly #verbs: ReadonlySet<string> | undefined;
  readonly #namespaces: ReadonlySet<string> | undefined;
  readonly #resources: readonly GroupResources[];
  readonly #nonResourceURLs: readonly string[];

  constructor(rule: PolicyRule, omitStages: readonly Stage[], omitManagedFields: boolean) {
    this.#users = setOf(rule.users);
    this.#userGroups = setOf(rule.userGroups);
    this.#verbs = setOf(rule.verbs);
    this.#namespaces = setOf(rule.namespaces);
    this.#resources = rule.resources ?? [];
    this.#nonResourceURLs = rule.nonResourceURLs ?? [];
    this.config = {
      level: rule.level,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    };
  }

  /** Reports whether the verb and the resource match. */
  canMatch(request: PolicyAttributes): boolean {
    if (this.#verbs?.has(request.verb) === false) return false;
    if (!this.#isForResources) return this.#nonResourceURLs.length === 0 || !request.isResourceRequest;
    if (!request.isResourceRequest) return false;
    return this.#resources.length === 0 || this.#resources.some((entry) => matchesResource(entry, request));
  }

  /** Reports whether the other fields match. */
  matches(request: PolicyAttributes, user: UserInfo | undefined): boolean {
    if (this.#users !== undefined && (user === undefined || !this.#users.has(user.name))) return false;
    const userGroups = this.#userGroups;
    if (userGroups !== undefined && !user?.groups.some((group) => userGroups.has(group))) return false;
    if (!this.#isForResources) {
      return this.#nonResourceURLs.length === 0 || this.#nonResourceURLs.some((url) => pathMatches(request.path, url));
    }
    if (this.#namespaces?.has(request.namespace) === false) return false;
    return this.#resources.length === 0 || this.#resources.some((entry) => matchesNamed(entry, request));
  }

  get #isForResources(): boolean {
    return this.#namespaces !== undefined || this.#resources.length > 0;
  }
}

function setOf(values: readonly string[] = []): ReadonlySet<string> | undefined {
  return values.length === 0 ? undefined : new Set(values);
}

function matchesNamed(entry: GroupResources, request: PolicyAttributes): boolean {
  if (!matchesResource(entry, request)) return false;
  const { resources = [], resourceNames = [] } = entry;
  return resources.length === 0 || resourceNames.length === 0 || resourceNames.includes(request.name);
}

function matchesResource({ group = '', resources = [] }: GroupResources, request: PolicyAttributes): boolean {
  if (group !== request.group) return false;
  if (resources.length === 0) return true;
  const { resource, subresource } = request;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === combined || pattern === '*' || (subresource !== '' && pattern === `*/${subresource}`) || pattern === `${resource}/*`,
  );
}

function pathMatches(path: string, pattern: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}
