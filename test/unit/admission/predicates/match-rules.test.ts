import { describe, expect, test } from '@jest/globals';
import type { NamedRuleWithOperations } from '../../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { EquivalentResources } from '../../../../runtime/admission/predicates/equivalent-resources.ts';
import { matchRules, type NamedWrite } from '../../../../runtime/admission/predicates/match-rules.ts';
import { ResourceRegistry } from '../../../../runtime/resources/registry.ts';

const registry = new ResourceRegistry();
registry.add(catalog);
const equivalents = new EquivalentResources(registry);

async function write(group: string, version: string, resource: string): Promise<NamedWrite> {
  const definition = await registry.definition({ group, version, resource });
  return { definition, operation: 'CREATE', subresource: '', name: 'one' };
}

const rule = (group: string, version: string, resource: string): NamedRuleWithOperations => ({
  operations: ['CREATE'],
  apiGroups: [group],
  apiVersions: [version],
  resources: [resource],
});

const autoscalers = 'horizontalpodautoscalers';

describe('rules of a webhook or policy', () => {
  test.each([
    ['Equivalent', { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' }],
    ['Exact', undefined],
    [undefined, undefined],
  ])('with matchPolicy %s match another version of the resource, or not', async (matchPolicy, kind) => {
    const rules = [rule('autoscaling', 'v2', autoscalers)];
    const matched = matchRules({ rules, matchPolicy }, await write('autoscaling', 'v1', autoscalers), equivalents);
    expect(matched?.kind).toEqual(kind);
  });

  test('match the group that shares the storage', async () => {
    const rules = [rule('events.k8s.io', 'v1', 'events')];
    const matched = matchRules({ rules, matchPolicy: 'Equivalent' }, await write('', 'v1', 'events'), equivalents);
    expect(matched?.equivalent?.facts).toMatchObject({ group: 'events.k8s.io', version: 'v1' });
  });

  test('match the requested version first, whatever the order of the rules', async () => {
    const rules = [rule('autoscaling', 'v2', autoscalers), rule('autoscaling', 'v1', autoscalers)];
    const matched = matchRules({ rules, matchPolicy: 'Equivalent' }, await write('autoscaling', 'v1', autoscalers), equivalents);
    expect(matched?.facts.version).toBe('v1');
    expect(matched?.equivalent).toBeUndefined();
  });

  test('match a subresource only where an equivalent resource has it, with the kind of the subresource', async () => {
    const rules = [rule('autoscaling', 'v2', '*/status')];
    const status = { ...(await write('autoscaling', 'v1', autoscalers)), subresource: 'status' };
    expect(matchRules({ rules, matchPolicy: 'Equivalent' }, status, equivalents)?.kind.version).toBe('v2');
    const scale = { ...(await write('apps', 'v1', 'deployments')), subresource: 'scale' };
    const matched = matchRules({ rules: [rule('apps', 'v1', 'deployments/scale')] }, scale, equivalents);
    expect(matched?.kind).toEqual({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  });

  test('with names match only objects that have one of them', async () => {
    const named = { ...rule('', 'v1', 'configmaps'), resourceNames: ['one', 'two'] };
    const configMap = await write('', 'v1', 'configmaps');
    expect(matchRules({ rules: [named] }, configMap, equivalents)).toBeDefined();
    expect(matchRules({ rules: [named] }, { ...configMap, name: 'three' }, equivalents)).toBeUndefined();
    expect(matchRules({ rules: [named] }, { ...configMap, name: undefined }, equivalents)).toBeUndefined();
  });
});
