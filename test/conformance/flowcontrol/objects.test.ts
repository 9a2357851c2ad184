import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import type { HttpClient, HttpResponse } from '../../support/http-client.ts';
import { ObjectFixture, storages } from '../../support/object-fixture.ts';
import { TestServer } from '../../support/test-server.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const json = 'application/json';
const mergePatch = 'application/merge-patch+json';

const flowSchema = (name: string, change: object = {}): object => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name, labels: { 'test.example/part': 'apf' } },
  spec: {
    matchingPrecedence: 9999,
    priorityLevelConfiguration: { name: 'global-default' },
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'example-user' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
    ...change,
  },
});

const priorityLevel = (name: string, limited: object = {}): object => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name, labels: { 'test.example/part': 'apf' } },
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 2, limitResponse: { type: 'Reject' }, ...limited },
  },
});

const kinds = [
  {
    title: 'API priority and fairness should support FlowSchema API operations',
    kind: 'FlowSchema',
    resource: 'flowschemas',
    make: flowSchema,
    patch: { spec: { matchingPrecedence: 9998 } },
    patched: (spec: { matchingPrecedence: number }) => spec.matchingPrecedence === 9998,
  },
  {
    title: 'API priority and fairness should support PriorityLevelConfiguration API operations',
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    make: priorityLevel,
    patch: { spec: { limited: { nominalConcurrencyShares: 4 } } },
    patched: (spec: { limited: { nominalConcurrencyShares: number } }) => spec.limited.nominalConcurrencyShares === 4,
  },
] as const;

describe.each(storages)('flow control objects, %s', (storage) => {
  let fixture: ObjectFixture;
  let http: HttpClient;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage);
    http = fixture.client;
  });

  afterAll(() => fixture.close());

  const post = (resource: string, object: object): Promise<HttpResponse> =>
    http.send('POST', `${root}/${resource}`, JSON.stringify(object), json);

  test.each(kinds)('$title', async ({ kind, resource, make, patch, patched }) => {
    const path = `${root}/${resource}`;
    const groups = (await http.get('/apis')).json.groups;
    const group = groups.find(({ name }: { name: string }) => name === 'flowcontrol.apiserver.k8s.io');
    expect(group.versions.map(({ version }: { version: string }) => version)).toContain('v1');
    const served = (await http.get(root)).json.resources.map(({ name, kind: of }: { name: string; kind: string }) => `${name} ${of}`);
    expect(served).toEqual(expect.arrayContaining([`${resource} ${kind}`, `${resource}/status ${kind}`]));

    const [first, , third] = await Promise.all(['a', 'b', 'c'].map((name) => post(resource, make(`apf-${name}`))));
    expect([first.status, third.status]).toEqual([201, 201]);
    const selector = 'labelSelector=test.example/part%3Dapf';
    const list = (await http.get(`${path}?${selector}`)).json;
    expect(list.items).toHaveLength(3);

    const watch = await fixture.watch(path, {
      labelSelector: 'test.example/part=apf',
      resourceVersion: list.metadata.resourceVersion,
    });
    expect((await http.get(`${path}/apf-a`)).json.metadata.uid).toBe(first.json.metadata.uid);
    const afterPatch = await http.send('PATCH', `${path}/apf-a`, JSON.stringify(patch), mergePatch);
    expect([afterPatch.status, patched(afterPatch.json.spec)]).toEqual([200, true]);
    expect(afterPatch.json.metadata.generation).toBe(2);
    let afterUpdate: HttpResponse;
    do {
      const current = (await http.get(`${path}/apf-a`)).json;
      current.metadata.annotations = { updated: 'true' };
      afterUpdate = await http.send('PUT', `${path}/apf-a`, JSON.stringify(current), json);
    } while (afterUpdate.status === 409);
    expect([afterUpdate.status, afterUpdate.json.metadata.annotations]).toEqual([200, { updated: 'true' }]);

    const status = { status: { conditions: [{ type: 'PatchStatusFailed', status: 'False', reason: 'x' }] } };
    const statusPatch = await http.send('PATCH', `${path}/apf-a/status`, JSON.stringify(status), mergePatch);
    expect(statusPatch.status).toBe(200);
    expect(JSON.stringify(statusPatch.json.status)).toContain('PatchStatusFailed');
    // the server writes its own conditions meanwhile
    let statusUpdate: HttpResponse;
    do {
      const now = (await http.get(`${path}/apf-a/status`)).json;
      statusUpdate = await http.send('PUT', `${path}/apf-a/status`, JSON.stringify(now), json);
    } while (statusUpdate.status === 409);
    expect(statusUpdate.status).toBe(200);

    expect((await http.send('DELETE', `${path}/apf-a`)).status).toBe(200);
    expect((await http.get(`${path}/apf-a`)).status).toBe(404);
    expect((await http.send('DELETE', `${path}?${selector}`)).status).toBe(200);
    expect((await http.get(`${path}?${selector}`)).json.items).toEqual([]);
    const seen: string[] = [];
    while (seen.filter((type) => type === 'DELETED').length < 3) seen.push((await watch.next())?.type ?? 'ended');
    expect(seen).toEqual(expect.arrayContaining(['MODIFIED', 'DELETED']));
    watch.close();
  });
});

describe('the bootstrap objects', () => {
  const suite = TestServer.forSuite();

  const get = async (path: string): Promise<HttpResponse['json']> => (await suite.http.get(`${root}/${path}`)).json;
  const send = (method: string, path: string, body: object, type = json): Promise<HttpResponse> =>
    suite.http.send(method, `${root}/${path}`, JSON.stringify(body), type);

  /** Polls until the result is defined. Otherwise the test times out. */
  async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test('exist when the server is ready, with upstream’s specs and with statuses', async () => {
    const schemas = (await get('flowschemas')).items;
    expect(schemas).toHaveLength(suggestedFlowSchemas.length + 2);
    for (const { metadata, spec, status } of schemas) {
      expect(metadata.managedFields).toMatchObject([
        {
          manager: 'api-priority-and-fairness-config-consumer-v1',
          operation: 'Apply',
          subresource: 'status',
          fieldsV1: { 'f:status': { 'f:conditions': { 'k:{"type":"Dangling"}': { 'f:status': {} } } } },
        },
        { manager: 'api-priority-and-fairness-config-producer-v1', operation: 'Update' },
      ]);
      expect(metadata.annotations).toEqual({ 'apf.kubernetes.io/autoupdate-spec': 'true' });
      expect(status.conditions).toMatchObject([
        {
          type: 'Dangling',
          status: 'False',
          reason: 'Found',
          message: `This FlowSchema references the PriorityLevelConfiguration object named "${spec.priorityLevelConfiguration.name}" and it exists`,
        },
      ]);
    }
    const levels = (await get('prioritylevelconfigurations')).items;
    expect(levels).toHaveLength(suggestedPriorityLevels.length + 2);
    expect(levels.find(({ metadata }: AnyObject) => metadata.name === 'workload-low').spec).toEqual({
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 100,
        lendablePercent: 90,
        limitResponse: { type: 'Queue', queuing: { queues: 128, handSize: 6, queueLengthLimit: 50 } },
      },
    });
  });

  test('are created again after their deletion', async () => {
    const { uid } = (await get('prioritylevelconfigurations/global-default')).metadata;
    expect((await suite.http.send('DELETE', `${root}/prioritylevelconfigurations/global-default`)).status).toBe(200);
    await eventually(async () => {
      const { metadata } = await get('prioritylevelconfigurations/global-default');
      return metadata.uid !== undefined && metadata.uid !== uid ? true : undefined;
    });
  });

  test('are restored while the server owns them, and left alone once an operator owns them', async () => {
    const path = 'flowschemas/probes';
    const changed = { spec: { matchingPrecedence: 77 } };
    await send('PATCH', path, changed, mergePatch);
    await eventually(async () => ((await get(path)).spec.matchingPrecedence === 2 ? true : undefined));
    const taken = { metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } }, ...changed };
    const { json: mine } = await send('PATCH', path, taken, mergePatch);
    // another object is restored later, which shows that this one was processed
    await suite.http.send('DELETE', `${root}/flowschemas/service-accounts`);
    await eventually(async () => ((await suite.http.get(`${root}/flowschemas/service-accounts`)).status === 200 ? true : undefined));
    expect((await get(path)).metadata.resourceVersion).toBe(mine.metadata.resourceVersion);
  });

  test('that are no longer suggested are deleted if the server owns them', async () => {
    const old = (name: string, annotation: string): object => {
      const object = flowSchema(name) as AnyObject;
      object.metadata.annotations = { 'apf.kubernetes.io/autoupdate-spec': annotation };
      return object;
    };
    expect((await send('POST', 'flowschemas', old('kept', 'false'))).status).toBe(201);
    expect((await send('POST', 'flowschemas', old('obsolete', 'true'))).status).toBe(201);
    await eventually(async () => ((await suite.http.get(`${root}/flowschemas/obsolete`)).status === 404 ? true : undefined));
    expect((await suite.http.get(`${root}/flowschemas/kept`)).status).toBe(200);
  });

  test('the status of a schema reports whether its priority level is missing', async () => {
    await send('POST', 'flowschemas', flowSchema('dangling', { priorityLevelConfiguration: { name: 'later' } }));
    const dangling = async (): Promise<AnyObject> => (await get('flowschemas/dangling')).status?.conditions?.[0];
    const condition = await eventually(async () => (await dangling()) ?? undefined);
    expect(condition).toMatchObject({
      status: 'True',
      reason: 'NotFound',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "later" but there is no such object',
    });
    await send('POST', 'prioritylevelconfigurations', priorityLevel('later'));
    await eventually(async () => ((await dangling()).status === 'False' ? true : undefined));
  });

  test('mandatory specs cannot be changed, except for what the exempt level lends', async () => {
    const responses = await Promise.all([
      send('PATCH', 'flowschemas/catch-all', { spec: { matchingPrecedence: 9990 } }, mergePatch),
      send('PATCH', 'flowschemas/exempt', { spec: { distinguisherMethod: { type: 'ByUser' } } }, mergePatch),
      send('PATCH', 'prioritylevelconfigurations/catch-all', { spec: { limited: { lendablePercent: 5 } } }, mergePatch),
      send('PATCH', 'prioritylevelconfigurations/exempt', { spec: { type: 'Limited' } }, mergePatch),
    ]);
    expect(responses.map(({ status, json: { message } }) => `${status} ${/spec of '.*$/.exec(message)?.[0]}`)).toEqual([
      "422 spec of 'catch-all' must equal the fixed value",
      "422 spec of 'exempt' must equal the fixed value",
      "422 spec of 'catch-all' must equal the fixed value",
      expect.stringContaining("422 spec of 'exempt' except the 'spec.exempt' field must equal the fixed value"),
    ]);
    expect(responses[2].json.message).toContain(
      'spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":5,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":5,"BorrowingLimitPercent":null},"Exempt":null}: ',
    );
    expect(responses[1].json.message).toContain(
      'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"exempt"},"MatchingPrecedence":1,"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"Group","User":null,"Group":{"Name":"system:masters"},"ServiceAccount":null}],"ResourceRules":[{"Verbs":["*"],"APIGroups":["*"],"Resources":["*"],"ClusterScope":true,"Namespaces":["*"]}],"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["*"]}]}]}: ',
    );
    const shares = {
      metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } },
      spec: { exempt: { nominalConcurrencyShares: 10, lendablePercent: 50 } },
    };
    expect((await send('PATCH', 'prioritylevelconfigurations/exempt', shares, mergePatch)).status).toBe(200);
    // other changes to the object are reverted
    await eventually(async () => {
      const { metadata, spec } = await get('prioritylevelconfigurations/exempt');
      expect(spec).toEqual({ type: 'Exempt', ...shares.spec });
      return metadata.annotations['apf.kubernetes.io/autoupdate-spec'] === 'true' ? true : undefined;
    });
  });

  test.each([
    ['precedence 1', { matchingPrecedence: 1 }, "only the schema named 'exempt' may have matchingPrecedence 1"],
    [
      'no level',
      { priorityLevelConfiguration: { name: '' } },
      'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
    ],
    [
      'an unknown distinguisher',
      { distinguisherMethod: { type: 'ByMood' } },
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByMood"}: supported values: "ByNamespace", "ByUser"',
    ],
    [
      'no subjects',
      { rules: [{ nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }] },
      'spec.rules[0].subjects: Required value: subjects must contain at least one value',
    ],
    [
      'a subject of two kinds',
      rule({ subjects: [{ kind: 'User', user: { name: 'x' }, group: { name: 'y' } }] }),
      "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
    ],
    [
      'an unknown verb',
      rule({ nonResourceRules: [{ verbs: ['feed'], nonResourceURLs: ['*'] }] }),
      'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["feed"]: supported values: "create", "delete"',
    ],
    [
      'a wildcard within a path',
      rule({ nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/a*b'] }] }),
      'wildcard can only do suffix matching',
    ],
    [
      'no namespaces',
      rule({ resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] }),
      'resource rules that are not cluster scoped must supply at least one namespace',
    ],
  ])('a schema with %s is rejected in upstream’s words', async (_, change, message) => {
    const response = await send('POST', 'flowschemas', flowSchema('wrong', change));
    expect([response.status, response.json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test.each([
    ['a hand that is too large', queuing({ queues: 4, handSize: 5 }), 'should not be greater than queues (4)'],
    [
      'too much entropy',
      queuing({ queues: 1024, handSize: 7 }),
      'required entropy bits of deckSize 1024 and handSize 7 should not be greater than 60',
    ],
    [
      'negative shares',
      { nominalConcurrencyShares: -1 },
      'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
    ],
    [
      'a lendable share of more than 100 percent',
      { lendablePercent: 101 },
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
    ],
    ['a negative borrowing limit', { borrowingLimitPercent: -1 }, 'if specified, must be a non-negative integer'],
    [
      'queues and the response type Reject',
      { limitResponse: { type: 'Reject', queuing: {} } },
      'must be nil if limited.limitResponse.type is not Limited',
    ],
    ['an unknown response type', { limitResponse: { type: 'Drop' } }, 'Unsupported value: "Drop": supported values: "Queue", "Reject"'],
  ])('a level with %s is rejected in upstream’s words', async (_, limited, message) => {
    const response = await send('POST', 'prioritylevelconfigurations', priorityLevel('wrong', limited));
    expect([response.status, response.json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test('only the exempt level may be exempt', async () => {
    const wrong = { ...priorityLevel('wrong'), spec: { type: 'Exempt', exempt: {} } };
    const response = await send('POST', 'prioritylevelconfigurations', wrong);
    expect(response.json.message).toContain("must be 'Exempt' if and only if `name` is 'exempt'");
  });
});

// biome-ignore lint/suspicious/noExplicitAny: objects as they come from the server
type AnyObject = any;

function rule(change: object): object {
  const subjects = [{ kind: 'User', user: { name: 'x' } }];
  return { rules: [{ subjects, nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }], ...change }] };
}

function queuing(config: object): object {
  return { limitResponse: { type: 'Queue', queuing: config } };
}
