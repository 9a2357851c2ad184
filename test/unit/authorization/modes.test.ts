import { describe, expect, test } from '@jest/globals';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../../../runtime/authorization/authorizer.ts';
import { alwaysDeny, privilegedGroups } from '../../../runtime/authorization/builtin.ts';
import { validateAuthorizationModes } from '../../../runtime/authorization/modes.ts';
import { unionAuthorizer } from '../../../runtime/authorization/union.ts';

describe('--authorization-mode', () => {
  test.each([
    [['RBAC'], undefined],
    [['AlwaysDeny', 'RBAC', 'AlwaysAllow'], undefined],
    [[], 'at least one authorization-mode must be passed'],
    [['rbac'], 'authorization-mode "rbac" is not a valid mode'],
    [['RBAC', 'RBAC'], 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
    [['Node', 'RBAC'], undefined],
    [['Webhook'], "authorization-mode Webhook's authorization config file not passed"],
    [['', 'ABAC'], '[authorization-mode "" is not a valid mode, authorization-mode "ABAC" is not supported by this server]'],
  ])('%j: %s', (modes, want) => expect(validateAuthorizationModes(modes)).toBe(want));
});

const attributes: AuthorizerAttributes = {
  user: { name: 'jane', uid: '', groups: ['dev'], extra: {} },
  verb: 'get',
  isResourceRequest: false,
  path: '/x',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

const says = (decision: AuthorizerDecision, later: boolean): Authorizer => ({
  authorize: () => (later ? Promise.resolve(decision) : decision),
});
const noOpinion = (reason: string, evaluationError?: string): AuthorizerDecision => ({
  decision: 'no-opinion',
  reason,
  ...(evaluationError === undefined ? {} : { evaluationError }),
});

describe.each([
  ['at once', false],
  ['later', true],
])('a union of authorizers that decide %s', (_, later) => {
  test.each<[string, AuthorizerDecision[], AuthorizerDecision]>([
    ['nobody', [], noOpinion('')],
    [
      'the first with an opinion decides',
      [noOpinion('a', 'e'), { decision: 'deny', reason: 'b' }, { decision: 'allow', reason: 'c' }],
      { decision: 'deny', reason: 'b' },
    ],
    ['reasons are joined by lines', [noOpinion('a'), noOpinion(''), noOpinion('b')], noOpinion('a\nb')],
    ['errors are aggregated', [noOpinion('a', 'e'), noOpinion('', 'f')], noOpinion('a', '[e, f]')],
  ])('%s', async (_title, decisions, want) => {
    const union = unionAuthorizer(decisions.map((decision) => says(decision, later)));
    expect(await union.authorize(attributes)).toEqual(want);
  });
});

describe('authorizers without configuration', () => {
  test('system:masters may do everything, whatever else is said', async () => {
    const union = unionAuthorizer([privilegedGroups, alwaysDeny]);
    const master = { ...attributes, user: { ...attributes.user, groups: ['dev', 'system:masters'] } };
    expect(union.authorize(master)).toEqual({ decision: 'allow', reason: '' });
    expect(union.authorize(attributes)).toEqual({ decision: 'no-opinion', reason: 'Everything is forbidden.' });
    expect(await union.rulesFor?.(master.user, 'x')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: false,
    });
  });
});
