import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PolicyAttributes, PolicyRuleEvaluator } from '../../../runtime/audit/policy/checker.ts';
import { loadPolicy } from '../../../runtime/audit/policy/reader.ts';
import type { Policy, PolicyRule } from '../../../runtime/audit/types.ts';
import type { UserInfo } from '../../../runtime/machinery/user-info.ts';

const policyText = (rules: unknown, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more }));

describe('a policy file', () => {
  test('is YAML or JSON, with unknown and repeated fields ignored', () => {
    const { policy, strictErrors } = loadPolicy(
      Buffer.from(
        'apiVersion: audit.k8s.io/v1\nkind: Policy\nmetadata: {name: x}\nomitStages: [Panic]\nrules:\n' +
          '- level: Metadata\n  verb: [get]\n  users: null\n- level: None\n  level: Request\n  omitManagedFields: true\n',
      ),
    );
    expect(policy).toEqual({
      omitStages: ['Panic'],
      rules: [{ level: 'Metadata' }, { level: 'Request', omitManagedFields: true }],
    });
    expect(strictErrors).toEqual([expect.stringContaining('already set'), 'unknown field "rules[0].verb"']);
  });

  test.each<[string, Buffer, string]>([
    ['has rules', policyText([]), 'loaded illegal policy with 0 rules'],
    ['has a kind', Buffer.from('{"apiVersion":"audit.k8s.io/v1"}'), "failed decoding: Object 'Kind' is missing in"],
    ['has an apiVersion', Buffer.from('{"kind":"Policy"}'), "failed decoding: Object 'apiVersion' is missing in"],
    [
      'has a known version',
      Buffer.from('{"kind":"Policy","apiVersion":"audit.k8s.io/v1beta1"}'),
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1" in scheme "k8s.io/apiserver/pkg/audit/scheme.go:30"',
    ],
    [
      'has fields of the right types',
      policyText([{ level: 'None', users: 'me' }]),
      'failed decoding: json: cannot unmarshal string into Go struct field Policy.rules[0].users of type array',
    ],
    ['is an object', Buffer.from('[]'), 'failed decoding: '],
    ['has a level in each rule', policyText([{}]), 'rules[0].level: Required value'],
    [
      'has known levels',
      policyText([{ level: 'All' }]),
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'has known stages',
      policyText([{ level: 'None', omitStages: ['x'] }], { omitStages: ['y'] }),
      '[omitStages[0]: Invalid value: "y": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic, ' +
        'rules[0].omitStages[0]: Invalid value: "x": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic]',
    ],
    [
      'has paths that begin with a slash',
      policyText([{ level: 'None', nonResourceURLs: ['metrics'] }]),
      `rules[0].nonResourceURLs[0]: Invalid value: "metrics": non-resource URL rules must begin with a '/' character`,
    ],
    [
      'has asterisks at the end of paths only',
      policyText([{ level: 'None', nonResourceURLs: ['*', '/a*/b'] }]),
      `rules[0].nonResourceURLs[1]: Invalid value: "/a*/b": non-resource URL wildcards '*' must be the final character of the rule`,
    ],
    [
      'has rules for either resources or paths',
      policyText([{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['n'] }]),
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      'has groups without versions',
      policyText([{ level: 'None', resources: [{ group: 'apps/v1' }] }]),
      'rules[0].resources.group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain must consist of',
    ],
    [
      'has resources for its names',
      policyText([{ level: 'None', resources: [{ resourceNames: ['a'] }] }]),
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
  ])('%s', (_, bytes, message) => {
    expect(() => loadPolicy(bytes)).toThrow(message);
  });
});

const user: UserInfo = { name: 'jane', uid: '', groups: ['devs'], extra: {} };

const resource = (verb: string, path: string, more: Partial<PolicyAttributes> = {}): PolicyAttributes => {
  const [group, name, subresource = ''] = path.split('/');
  return {
    isResourceRequest: true,
    path: `/${path}`,
    verb,
    group,
    resource: name,
    subresource,
    namespace: '',
    name: '',
    ...more,
  };
};
const nonResource = (path: string): PolicyAttributes => ({ ...resource('get', '//'), isResourceRequest: false, path });

describe('a rule', () => {
  test.each<[string, Omit<PolicyRule, 'level'>, PolicyAttributes, boolean]>([
    ['without fields matches everything', {}, nonResource('/x'), true],
    ['matches a user', { users: ['jane'] }, nonResource('/x'), true],
    ['does not match another user', { users: ['joe'] }, nonResource('/x'), false],
    ['matches one of several groups', { userGroups: ['ops', 'devs'] }, nonResource('/x'), true],
    ['does not match other groups', { userGroups: ['ops'] }, nonResource('/x'), false],
    ['matches a verb', { verbs: ['get'] }, resource('get', '/pods'), true],
    ['does not match another verb', { verbs: ['get'] }, resource('list', '/pods'), false],
    ['matches a group', { resources: [{ group: 'apps' }] }, resource('get', 'apps/deployments/scale'), true],
    ['does not match another group', { resources: [{ group: 'apps' }] }, resource('get', '/pods'), false],
    ['matches a resource', { resources: [{ resources: ['pods'] }] }, resource('get', '/pods'), true],
    ['does not match its subresources', { resources: [{ resources: ['pods'] }] }, resource('get', '/pods/log'), false],
    ['matches a subresource', { resources: [{ resources: ['pods/log'] }] }, resource('get', '/pods/log'), true],
    ['matches all subresources', { resources: [{ resources: ['pods/*'] }] }, resource('get', '/pods/log'), true],
    ['pods/* matches pods, too', { resources: [{ resources: ['pods/*'] }] }, resource('get', '/pods'), true],
    ['matches a subresource of all', { resources: [{ resources: ['*/log'] }] }, resource('get', '/pods/log'), true],
    ['*/log does not match others', { resources: [{ resources: ['*/log'] }] }, resource('get', '/pods/exec'), false],
    ['matches all resources', { resources: [{ resources: ['*'] }] }, resource('get', '/pods/log'), true],
    ['matches a name', { resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, resource('get', '/pods', { name: 'a' }), true],
    ['does not match another name', { resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, resource('list', '/pods'), false],
    ['matches a namespace', { namespaces: ['n'] }, resource('get', '/pods', { namespace: 'n' }), true],
    ['matches what has no namespace', { namespaces: [''] }, resource('get', '/nodes'), true],
    ['for a namespace does not match paths', { namespaces: [''] }, nonResource('/x'), false],
    ['matches a path', { nonResourceURLs: ['/x'] }, nonResource('/x'), true],
    ['does not match paths below', { nonResourceURLs: ['/x'] }, nonResource('/x/y'), false],
    ['matches the beginning of a path', { nonResourceURLs: ['/x*'] }, nonResource('/xyz'), true],
    ['matches all paths', { nonResourceURLs: ['*'] }, nonResource('/x'), true],
    ['for paths does not match resources', { nonResourceURLs: ['*'] }, resource('get', '/pods'), false],
  ])('%s', (_, rule, request, matches) => {
    const evaluator = new PolicyRuleEvaluator({ rules: [{ level: 'Metadata', ...rule }] });
    expect(evaluator.evaluate(request, user).level).toBe(matches ? 'Metadata' : 'None');
  });

  test('that names users or groups does not match requests without a user', () => {
    const rules: PolicyRule[] = [
      { level: 'Request', users: ['jane'] },
      { level: 'Request', userGroups: ['devs'] },
    ];
    expect(new PolicyRuleEvaluator({ rules }).evaluate(nonResource('/x'), undefined).level).toBe('None');
  });

  test('omits its own stages and those of the policy, and overrides managed fields', () => {
    const rules: PolicyRule[] = [{ level: 'Request', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false }];
    const policy: Policy = { rules, omitStages: ['RequestReceived'], omitManagedFields: true };
    const evaluator = new PolicyRuleEvaluator(policy);
    expect(evaluator.evaluate(resource('get', '/pods'), user)).toEqual({
      level: 'Request',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: false,
    });
    expect(evaluator.evaluate(resource('list', '/pods'), user)).toEqual({
      level: 'None',
      omitStages: new Set(['RequestReceived']),
      omitManagedFields: true,
    });
  });
});

describe('an evaluator', () => {
  const some = (...values: string[]): fc.Arbitrary<string[]> => fc.subarray(values);
  const anyRule = fc.oneof(
    fc.record({
      verbs: some('get', 'list'),
      users: some('jane', 'joe'),
      namespaces: some('', 'n'),
      resources: fc.array(
        fc.record({
          group: fc.constantFrom('', 'apps'),
          resources: some('pods', 'pods/log', 'pods/*', '*/log', '*'),
          resourceNames: some('a', 'b'),
        }),
        { maxLength: 2 },
      ),
    }),
    fc.record({ userGroups: some('devs', 'ops'), nonResourceURLs: some('/x', '/x*', '*') }),
  );
  const request = fc.record({
    isResourceRequest: fc.boolean(),
    path: fc.constantFrom('/x', '/xy', '/z'),
    verb: fc.constantFrom('get', 'list'),
    group: fc.constantFrom('', 'apps'),
    resource: fc.constantFrom('pods', 'nodes'),
    subresource: fc.constantFrom('', 'log', 'exec'),
    namespace: fc.constantFrom('', 'n', 'm'),
    name: fc.constantFrom('', 'a', 'c'),
  });
  const users = fc.record({ name: fc.constantFrom('jane', 'ann'), groups: some('devs', 'admins') });

  test('finds the first rule that an obvious reading of the policy finds', () => {
    const rules = fc.array(anyRule, { minLength: 1, maxLength: 6 });
    const property = fc.property(rules, fc.array(fc.tuple(request, users), { minLength: 5 }), (generated, requests) => {
      const levels = ['Metadata', 'Request', 'RequestResponse'] as const;
      const policy = generated.map((rule, index) => ({ ...rule, level: levels[index % 3], omitStages: [] }));
      const evaluator = new PolicyRuleEvaluator({ rules: policy });
      for (const [attributes, { name, groups }] of requests) {
        const first = policy.find((rule) => obviously(rule, attributes, name, groups));
        const someone = { name, groups, uid: '', extra: {} };
        expect(evaluator.evaluate(attributes, someone).level).toBe(first?.level ?? 'None');
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  function obviously(rule: Omit<PolicyRule, 'level'>, request: PolicyAttributes, name: string, groups: string[]): boolean {
    const { users: names, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
    if (names?.length && !names.includes(name)) return false;
    if (userGroups?.length && !groups.some((group) => userGroups.includes(group))) return false;
    if (verbs?.length && !verbs.includes(request.verb)) return false;
    if (namespaces?.length || resources?.length) {
      if (!request.isResourceRequest) return false;
      if (namespaces?.length && !namespaces.includes(request.namespace)) return false;
      const full = request.subresource ? `${request.resource}/${request.subresource}` : request.resource;
      const patterns = ['*', full, `${request.resource}/*`, ...(request.subresource ? [`*/${request.subresource}`] : [])];
      return (
        !resources?.length ||
        resources.some(
          (entry) =>
            entry.group === request.group &&
            (!entry.resources?.length ||
              (entry.resources.some((one) => patterns.includes(one)) &&
                (!entry.resourceNames?.length || entry.resourceNames.includes(request.name)))),
        )
      );
    }
    if (!nonResourceURLs?.length) return true;
    if (request.isResourceRequest) return false;
    return nonResourceURLs.some((url) => (url.endsWith('*') ? request.path.startsWith(url.slice(0, -1)) : url === request.path));
  }
});
