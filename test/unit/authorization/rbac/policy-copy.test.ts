import { describe, expect, test } from '@jest/globals';
import { Policy } from '../../../../runtime/authorization/rbac/policy.ts';

const rules = (resource: string) => [{ apiGroups: [''], resources: [resource], verbs: ['get'] }];
const jane = { name: 'jane', uid: '', groups: [], extra: {} };

const changes: Record<string, (policy: Policy) => void> = {
  'a changed role': (policy) => policy.setRole({ metadata: { namespace: 'ns', name: 'reader' }, rules: rules('secrets') }),
  'a deleted role': (policy) => policy.deleteRole('ns', 'reader'),
  'a changed cluster role': (policy) => policy.setClusterRole({ metadata: { name: 'all' }, rules: rules('secrets') }),
  'a deleted cluster role': (policy) => policy.deleteClusterRole('all'),
  'a deleted binding': (policy) => policy.deleteBinding('ns', 'readers'),
  'another binding': (policy) =>
    policy.setBinding({
      metadata: { namespace: 'ns', name: 'again' },
      roleRef: roleRef('ClusterRole', 'other'),
      subjects,
    }),
};

const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const subjects = [{ kind: 'User', name: 'jane' }];

function newPolicy(): Policy {
  const policy = new Policy();
  policy.setRole({ metadata: { namespace: 'ns', name: 'reader' }, rules: rules('pods') });
  policy.setClusterRole({ metadata: { name: 'all' }, rules: rules('nodes') });
  policy.setBinding({ metadata: { namespace: 'ns', name: 'readers' }, roleRef: roleRef('Role', 'reader'), subjects });
  policy.setBinding({ metadata: { name: 'everyone' }, roleRef: roleRef('ClusterRole', 'all'), subjects });
  return policy;
}

describe('a policy and its copy', () => {
  const unchanged = newPolicy().rulesFor(jane, 'ns');

  test.each(Object.keys(changes))('do not share %s', (name) => {
    for (const changesCopy of [true, false]) {
      const origin = newPolicy();
      const copy = origin.copy();
      const [changed, other] = changesCopy ? [copy, origin] : [origin, copy];
      changes[name](changed);
      expect(other.rulesFor(jane, 'ns')).toEqual(unchanged);
      expect(changed.rulesFor(jane, 'ns')).not.toEqual(unchanged);
    }
  });

  test('have the same rules, as a copy of the copy has', () => {
    expect(newPolicy().copy().copy().rulesFor(jane, 'ns')).toEqual(unchanged);
  });
});
