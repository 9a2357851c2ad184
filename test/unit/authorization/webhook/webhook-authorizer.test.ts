import { describe, expect, test } from '@jest/globals';
import type { AuthorizerAttributes } from '../../../../runtime/authorization/authorizer.ts';
import { compileMatchCondition, type MatchProgram } from '../../../../runtime/authorization/webhook/match-conditions.ts';
import { type WebhookAuthorizerOptions, webhookAuthorizer } from '../../../../runtime/authorization/webhook/webhook-authorizer.ts';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';

const user = { name: 'jane', uid: 'u', groups: ['g'], extra: { scopes: ['a'] } };
const listPods: AuthorizerAttributes = {
  user,
  verb: 'list',
  isResourceRequest: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'n',
  name: '',
};
const getPath: AuthorizerAttributes = {
  ...listPods,
  isResourceRequest: false,
  verb: 'get',
  path: '/x',
  resource: '',
  namespace: '',
  version: '',
};

/** Returns a webhook with one status as response. It records its requests. */
function webhookOf(status: Json | Error, version = 'v1') {
  const asked: { spec: unknown; apiVersion: string }[] = [];
  return {
    asked,
    async post(body: Uint8Array): Promise<JsonObject> {
      asked.push(JSON.parse(Buffer.from(body).toString()));
      if (status instanceof Error) throw status;
      return { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}`, status };
    },
  };
}

function authorizerOf(webhook: WebhookAuthorizerOptions['webhook'], more: Partial<WebhookAuthorizerOptions> = {}) {
  return webhookAuthorizer({
    webhook,
    version: 'v1',
    authorizedTTL: 10_000,
    unauthorizedTTL: 1_000,
    decisionOnError: 'no-opinion',
    clock: { now: () => 0 },
    ...more,
  });
}

const conditions = (...expressions: readonly string[]): readonly MatchProgram[] =>
  expressions.map((expression) => {
    const condition = compileMatchCondition(expression);
    if (condition.problem !== undefined) throw new Error(condition.problem);
    return condition;
  });

describe('the webhook authorizer', () => {
  test.each([
    [
      listPods,
      {
        resourceAttributes: { namespace: 'n', verb: 'list', version: 'v1', resource: 'pods' },
        user: 'jane',
        uid: 'u',
        groups: ['g'],
        extra: { scopes: ['a'] },
      },
    ],
    [
      { ...getPath, user: { name: 'x', uid: '', groups: [], extra: {} } },
      { nonResourceAttributes: { path: '/x', verb: 'get' }, user: 'x' },
    ],
    [
      { ...listPods, fieldSelector: 'a=b,c!=d', labelSelector: 'e in (f),g!=h,i,!j,k>1' },
      {
        resourceAttributes: {
          namespace: 'n',
          verb: 'list',
          version: 'v1',
          resource: 'pods',
          fieldSelector: {
            requirements: [
              { key: 'a', operator: 'In', values: ['b'] },
              { key: 'c', operator: 'NotIn', values: ['d'] },
            ],
          },
          labelSelector: {
            requirements: [
              { key: 'e', operator: 'In', values: ['f'] },
              { key: 'g', operator: 'NotIn', values: ['h'] },
              { key: 'i', operator: 'Exists' },
              { key: 'j', operator: 'DoesNotExist' },
            ],
          },
        },
        user: 'jane',
        uid: 'u',
        groups: ['g'],
        extra: { scopes: ['a'] },
      },
    ],
    [
      { ...listPods, fieldSelector: 'what', labelSelector: '((' },
      {
        resourceAttributes: { namespace: 'n', verb: 'list', version: 'v1', resource: 'pods' },
        user: 'jane',
        uid: 'u',
        groups: ['g'],
        extra: { scopes: ['a'] },
      },
    ],
  ])('asks about a request %#', async (attributes, spec) => {
    const webhook = webhookOf({ allowed: true });
    await authorizerOf(webhook).authorize(attributes);
    expect(webhook.asked).toEqual([
      {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: {},
        spec,
        status: { allowed: false },
      },
    ]);
  });

  test('asks in v1beta1, where groups have another name', async () => {
    const webhook = webhookOf({ allowed: true }, 'v1beta1');
    expect(await authorizerOf(webhook, { version: 'v1beta1' }).authorize(getPath)).toMatchObject({ decision: 'allow' });
    expect(webhook.asked[0]).toMatchObject({ apiVersion: 'authorization.k8s.io/v1beta1', spec: { group: ['g'] } });
  });

  const both = 'webhook subject access review returned both allow and deny response';
  test.each<[Json | Error, object]>([
    [
      { allowed: true, reason: 'ok' },
      { decision: 'allow', reason: 'ok' },
    ],
    [
      { allowed: false, reason: 'who' },
      { decision: 'no-opinion', reason: 'who' },
    ],
    [
      { allowed: false, denied: true },
      { decision: 'deny', reason: '' },
    ],
    [
      { allowed: true, denied: true },
      { decision: 'deny', reason: '', evaluationError: both },
    ],
    [new Error('down'), { decision: 'no-opinion', reason: '', evaluationError: 'down' }],
    [
      'garbage',
      {
        decision: 'no-opinion',
        reason: '',
        evaluationError:
          'json: cannot unmarshal string into Go struct field SubjectAccessReview.status of type v1.SubjectAccessReviewStatus',
      },
    ],
  ])('decides by the status %j', async (status, decision) =>
    expect(await authorizerOf(webhookOf(status)).authorize(listPods)).toEqual(decision),
  );

  test('denies what it cannot ask about if the failure policy says so', async () =>
    expect(await authorizerOf(webhookOf(new Error('down')), { decisionOnError: 'deny' }).authorize(listPods)).toEqual({
      decision: 'deny',
      reason: '',
      evaluationError: 'down',
    }));

  test.each([
    [true, 10_000],
    [false, 1_000],
  ])('caches allowed: %j for %d ms, and answers from the cache without waiting', async (allowed, ttl) => {
    let now = 0;
    const webhook = webhookOf({ allowed });
    const authorizer = authorizerOf(webhook, { clock: { now: () => now } });
    await authorizer.authorize(listPods);
    now = ttl - 1;
    expect(authorizer.authorize(listPods)).not.toBeInstanceOf(Promise);
    now = ttl;
    await authorizer.authorize(listPods);
    await authorizer.authorize({ ...listPods, verb: 'get' });
    expect(webhook.asked).toHaveLength(3);
  });

  test.each([
    ['failures', new Error('down'), listPods],
    ['requests with very long parts', { allowed: true }, { ...listPods, name: 'x'.repeat(10_000) }],
  ])('does not cache %s', async (_name, status, attributes) => {
    const webhook = webhookOf(status);
    const authorizer = authorizerOf(webhook);
    await authorizer.authorize(attributes);
    await authorizer.authorize(attributes);
    expect(webhook.asked).toHaveLength(2);
  });

  test.each([
    [["request.user == 'jane'", "'g' in request.groups"], 1],
    [["request.user == 'joe'"], 0],
    [['has(request.resourceAttributes)', "request.resourceAttributes.resource == 'pods'"], 1],
    [['has(request.nonResourceAttributes)'], 0],
    [["request.resourceAttributes.name == '' && request.extra['scopes'] == ['a']"], 1],
    [['has(request.resourceAttributes.fieldSelector)'], 0],
    [["request.nonResourceAttributes.path == '/x'", 'false'], 0],
  ])('is asked only if %j', async (expressions, calls) => {
    const webhook = webhookOf({ allowed: true });
    const authorizer = authorizerOf(webhook, { matchConditions: conditions(...expressions) });
    const { decision } = await authorizer.authorize(listPods);
    expect([webhook.asked.length, decision]).toEqual([calls, calls === 1 ? 'allow' : 'no-opinion']);
  });

  test('treats an error of a condition as a failure', async () => {
    const matchConditions = conditions("request.nonResourceAttributes.path == '/x'");
    const authorizer = authorizerOf(webhookOf({ allowed: true }), { matchConditions, decisionOnError: 'deny' });
    expect(await authorizer.authorize(listPods)).toEqual({
      decision: 'deny',
      reason: '',
      evaluationError:
        "cel evaluation error: expression 'request.nonResourceAttributes.path == '/x'' resulted in error: no such key: nonResourceAttributes",
    });
  });

  test('cannot list rules', () =>
    expect(authorizerOf(webhookOf({})).rulesFor?.(user, 'n')).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }));
});

describe('a match condition', () => {
  test.each([
    ['1 + 1', 'must evaluate to bool but got int'],
    ['request.foo', "compilation failed: ERROR: <input>:1:8: undefined field 'foo'"],
    ['request.resourceAttributes.foo == 1', "undefined field 'foo'"],
    ['request.user == 1', "found no matching overload for '_==_' applied to '(string, int)'"],
    ['x', "undeclared reference to 'x'"],
  ])('%j is refused', (expression, problem) => expect(compileMatchCondition(expression).problem).toEqual(expect.stringContaining(problem)));
});
