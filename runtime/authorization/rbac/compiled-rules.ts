import type { AuthorizerAttributes } from '../authorizer.ts';
import type { PolicyRule } from './objects.ts';

/** The rules of a role, indexed by resource. (kubernetes pkg/apis/rbac/v1/evaluation_helpers.go) */
export class CompiledRules {
  readonly rules: readonly PolicyRule[];
  /** Rules by resource in the notation of rules: `pods`, `pods/log`, `*\/scale`. */
  readonly #byResource = new Map<string, PolicyRule[]>();
  /** Rules for `*`, all resources. */
  readonly #anyResource: PolicyRule[] = [];
  readonly #nonResourceRules: PolicyRule[] = [];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    for (const rule of rules) {
      for (const resource of rule.resources ?? []) addOnce(this.#rulesFor(resource), rule);
      if (rule.nonResourceURLs?.length) this.#nonResourceRules.push(rule);
    }
  }

  /** (RuleAllows) */
  allows(attributes: AuthorizerAttributes, requested: RequestedResource): boolean {
    if (!attributes.isResourceRequest) {
      const { verb, path } = attributes;
      return this.#nonResourceRules.some((rule) => matches(rule.verbs, verb) && matchesURL(rule, path));
    }
    const { resource, anyWithSubresource } = requested;
    return (
      allowsAny(this.#anyResource, attributes) ||
      allowsAny(this.#byResource.get(resource), attributes) ||
      (anyWithSubresource !== '' && allowsAny(this.#byResource.get(anyWithSubresource), attributes))
    );
  }

  #rulesFor(resource: string): PolicyRule[] {
    if (resource === '*') return this.#anyResource;
    let rules = this.#byResource.get(resource);
    if (rules === undefined) {
      rules = [];
      this.#byResource.set(resource, rules);
    }
    return rules;
  }
}

/** Adds a rule unless it was added last: a rule may name a resource many times. */
function addOnce(rules: PolicyRule[], rule: PolicyRule): void {
  if (rules[rules.length - 1] !== rule) rules.push(rule);
}

/** The resource of a request in the notation of rules. */
export interface RequestedResource {
  /** The resource: `pods` or `pods/log`. */
  readonly resource: string;
  /** The subresource of any resource, `*\/log`; "" without a subresource. */
  readonly anyWithSubresource: string;
}

export function requestedResource({ resource, subresource }: AuthorizerAttributes): RequestedResource {
  if (subresource === '') return { resource, anyWithSubresource: '' };
  return { resource: `${resource}/${subresource}`, anyWithSubresource: `*/${subresource}` };
}

function allowsAny(rules: readonly PolicyRule[] | undefined, attributes: AuthorizerAttributes): boolean {
  if (rules === undefined) return false;
  for (const { verbs, apiGroups, resourceNames } of rules) {
    if (!matches(verbs, attributes.verb) || !matches(apiGroups, attributes.group)) continue;
    if (!resourceNames?.length || resourceNames.includes(attributes.name)) return true;
  }
  return false;
}

function matches(allowed: readonly string[] | undefined, requested: string): boolean {
  if (!allowed) return false;
  for (const one of allowed) if (one === '*' || one === requested) return true;
  return false;
}

function matchesURL({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return (nonResourceURLs ?? []).some((url) => url === path || (url.endsWith('*') && path.startsWith(trimStars(url))));
}

/** Drops every `*` at the end. */
export function trimStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end--;
  return url.slice(0, end);
}
