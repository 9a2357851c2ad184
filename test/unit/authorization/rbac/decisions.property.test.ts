import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuthorizerAttributes } from '../../../../runtime/authorization/authorizer.ts';
import type { PolicyRule, RoleBinding } from '../../../../runtime/authorization/rbac/objects.ts';
import { Policy } from '../../../../runtime/authorization/rbac/policy.ts';
import { RBACAuthorizer } from '../../../../runtime/authorization/rbac/rbac-authorizer.ts';
import { type RbacObjects, readRbac } from '../../../support/rbac-reading.ts';

const worlds = 200;
const requestsPerWorld = 50;

const verb = fc.constantFrom('get', 'list', 'create', '*');
const group = fc.constantFrom('', 'apps', '*');
const resource = fc.constantFrom('pods', 'pods/log', 'deployments', 'deployments/scale', '*/scale', '*/log', '*', 'pods/*');
const objectName = fc.constantFrom('a', 'b', '');
const url = fc.constantFrom('/healthz', '/healthz/*', '/api*', '/api**', '*', '/metrics');
const namespace = fc.constantFrom('red', 'blue');
const roleName = fc.constantFrom('r1', 'r2', 'r3');
const upTo = (most: number) => ({ minLength: 0, maxLength: most });

const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verbs: fc.array(verb, upTo(2)),
      apiGroups: fc.array(group, upTo(2)),
      resources: fc.array(resource, upTo(3)),
      resourceNames: fc.array(objectName, upTo(2)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verbs: fc.array(verb, upTo(2)), nonResourceURLs: fc.array(url, upTo(2)) }) },
);
const rules = fc.array(rule, upTo(3));
const subject = fc.oneof(
  fc.record({ kind: fc.constant('User'), name: fc.constantFrom('jane', 'system:serviceaccount:red:bot') }),
  fc.record({ kind: fc.constant('Group'), name: fc.constantFrom('dev', 'ops') }),
  fc.record({
    kind: fc.constant('ServiceAccount'),
    name: fc.constantFrom('bot', 'cat'),
    namespace: fc.constantFrom('red', 'blue', '', undefined),
  }),
);
const binding = fc.record({
  name: fc.constantFrom('b1', 'b2', 'b3', 'b4'),
  subjects: fc.array(subject, upTo(3)),
  roleRef: fc.record({
    apiGroup: fc.constant('rbac.authorization.k8s.io'),
    kind: fc.constantFrom('Role', 'ClusterRole'),
    name: roleName,
  }),
});

/** A write, or a deletion without content. */
type Change =
  | { readonly kind: 'role'; readonly namespace: string; readonly name: string; readonly content?: PolicyRule[] }
  | {
      readonly kind: 'binding';
      readonly namespace: string;
      readonly name: string;
      readonly content?: Pick<RoleBinding, 'subjects' | 'roleRef'>;
    };

const anywhere = fc.constantFrom('', 'red', 'blue');
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('role' as const),
    namespace: anywhere,
    name: roleName,
    content: fc.option(rules, { nil: undefined, freq: 4 }),
  }),
  fc.tuple(anywhere, binding, fc.boolean()).map(([where, { name, subjects, roleRef }, keeps]) => ({
    kind: 'binding' as const,
    namespace: where,
    name,
    // upstream's validation allows a ClusterRoleBinding only a ClusterRole
    content: keeps ? { subjects, roleRef: where === '' ? { ...roleRef, kind: 'ClusterRole' } : roleRef } : undefined,
  })),
);

const user = fc.record({
  name: fc.constantFrom('jane', 'joe', 'system:serviceaccount:red:bot', 'system:serviceaccount:blue:bot', 'system:serviceaccount:blue:cat'),
  uid: fc.constant(''),
  groups: fc.subarray(['dev', 'ops', 'other']),
  extra: fc.constant({}),
});
const request: fc.Arbitrary<AuthorizerAttributes> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      user,
      verb: fc.constantFrom('get', 'list', 'create', 'delete'),
      isResourceRequest: fc.constant(true),
      path: fc.constant(''),
      group: fc.constantFrom('', 'apps', 'batch'),
      version: fc.constant('v1'),
      resource: fc.constantFrom('pods', 'deployments', 'jobs', '*'),
      subresource: fc.constantFrom('', 'log', 'scale', '*'),
      namespace: fc.oneof(namespace, fc.constant('')),
      name: objectName,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      user,
      verb: fc.constantFrom('get', 'post'),
      isResourceRequest: fc.constant(false),
      path: fc.constantFrom('/healthz', '/healthz/etcd', '/api', '/apis', '/metrics', '/'),
      group: fc.constant(''),
      version: fc.constant(''),
      resource: fc.constant(''),
      subresource: fc.constant(''),
      namespace: fc.constant(''),
      name: fc.constant(''),
    }),
  },
);

class World {
  readonly policy = new Policy();
  readonly objects: RbacObjects = { roles: [], clusterRoles: [], roleBindings: [], clusterRoleBindings: [] };

  apply(one: Change): void {
    const { kind, namespace: where, name } = one;
    const metadata = where === '' ? { name } : { namespace: where, name };
    const lists = this.objects;
    if (kind === 'role') {
      const list = where === '' ? lists.clusterRoles : lists.roles;
      replace(list, one.content && { metadata, rules: one.content }, metadata);
      if (one.content === undefined) where === '' ? this.policy.deleteClusterRole(name) : this.policy.deleteRole(where, name);
      else if (where === '') this.policy.setClusterRole({ metadata, rules: one.content });
      else this.policy.setRole({ metadata, rules: one.content });
    } else {
      const list = where === '' ? lists.clusterRoleBindings : lists.roleBindings;
      replace(list, one.content && { metadata, ...one.content }, metadata);
      if (one.content === undefined) this.policy.deleteBinding(where, name);
      else this.policy.setBinding({ metadata, ...one.content });
    }
  }
}

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}

function replace<T extends Named>(list: T[], object: T | undefined, { namespace: where, name }: Named['metadata']): void {
  const at = list.findIndex(({ metadata }) => metadata.namespace === where && metadata.name === name);
  if (at >= 0) list.splice(at, 1);
  if (object !== undefined) list.push(object);
}

describe('the RBAC authorizer', () => {
  test(`decides ${worlds * requestsPerWorld} random requests as its objects read, after random changes of them`, () => {
    const property = fc.property(
      fc.array(change, { minLength: 5, maxLength: 40 }),
      fc.array(request, { minLength: requestsPerWorld, maxLength: requestsPerWorld }),
      (changes, requests) => {
        const world = new World();
        for (const one of changes) world.apply(one);
        const authorizer = new RBACAuthorizer(world.policy);
        for (const attributes of requests) {
          const { allowed, reasons, missing } = readRbac(world.objects, attributes);
          const { decision, reason } = authorizer.authorize(attributes);
          expect(decision).toBe(allowed ? 'allow' : 'no-opinion');
          if (allowed) expect(reasons).toContain(reason);
          else expect(missingOf(reason)).toEqual([...missing].sort());
        }
      },
    );
    fc.assert(property, { numRuns: worlds });
  });
});

/** Returns the missing roles of a reason. */
function missingOf(reason: string): string[] {
  const text = reason.replace(/^RBAC: /, '').replace(/^\[(.*)\]$/, '$1');
  return text === '' ? [] : text.split(', ').sort();
}
