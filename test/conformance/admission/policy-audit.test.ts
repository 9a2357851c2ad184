import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { AuditLog } from '../../support/audit-log.ts';
import { everyVersion } from '../../support/every-version.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { apply, Policies, rule } from './policies.ts';

let log: AuditLog;
let server: RunningServer;
let http: HttpClient;
const policies = new Policies(() => http);

beforeAll(async () => {
  log = await AuditLog.withRules([{ level: 'Metadata' }], { omitStages: ['RequestReceived'] });
  server = await startServer({
    ...everyVersion,
    auditPolicyFile: log.policyFile,
    auditLogPath: log.path,
    authorizationMode: ['RBAC'],
  });
  http = HttpClient.for(server);
});

afterAll(async () => {
  http.close();
  await server.close();
  await log.remove();
});

async function annotationsOf({ headers }: HttpResponse): Promise<Record<string, string>> {
  const [{ annotations }] = await log.events(String(headers['audit-id']));
  const { 'authorization.k8s.io/decision': _, 'authorization.k8s.io/reason': __, ...others } = annotations;
  return others;
}

describe('a validating policy in the audit log', () => {
  test('has what it found, for bindings that audit', async () => {
    const namespace = await policies.namespace();
    const validations = [{ expression: 'true' }, { expression: 'false', message: 'not > "good"' }];
    const policy = await policies.validating(namespace, { validations }, { validationActions: ['Warn', 'Audit'] });
    const response = await policies.createConfigMap(namespace);
    expect(response.status).toBe(201);
    const annotations = await annotationsOf(response);
    expect(JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure'] as string)).toEqual([
      { message: 'not > "good"', policy, binding: policy, expressionIndex: 1, validationActions: ['Warn', 'Audit'] },
    ]);
  });

  test('has what its auditAnnotations compute, of all bindings together', async () => {
    const namespace = await policies.namespace();
    for (const color of ['red', 'blue']) {
      await policies.createConfigMap(namespace, { color }, { metadata: { name: color } });
    }
    const policy = await policies.validating(
      namespace,
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        auditAnnotations: [
          { key: 'color', valueExpression: "'wants ' + params.data.color" },
          { key: 'name', valueExpression: "' ' + string(object.metadata.name)" },
          { key: 'blank', valueExpression: "' '" },
          { key: 'long', valueExpression: "'x'.replace('x', object.data.long)" },
        ],
      },
      { paramRef: { name: 'red', parameterNotFoundAction: 'Deny' } },
    );
    await policies.bind(policy, { paramRef: { name: 'blue', parameterNotFoundAction: 'Deny' } });
    const response = await policies.createConfigMap(namespace, { long: 'x'.repeat(11_000) }, { metadata: { name: 'm' } });
    expect(response.json.message).toBeUndefined();
    expect(await annotationsOf(response)).toEqual({
      [`${policy}/color`]: expect.stringMatching(/^wants (red, wants blue|blue, wants red)$/),
      [`${policy}/name`]: 'm',
      [`${policy}/long`]: 'x'.repeat(10 * 1024),
    });
  });

  test('denies if an annotation cannot be computed, unless failures are ignored', async () => {
    const [strict, lax] = [await policies.namespace(), await policies.namespace()];
    const auditAnnotations = [{ key: 'no', valueExpression: 'string(object.no)' }];
    await policies.validating(strict, { auditAnnotations });
    await policies.validating(lax, { auditAnnotations, failurePolicy: 'Ignore' });
    const refused = await policies.createConfigMap(strict);
    expect(refused.json.message).toContain("expression 'string(object.no)' resulted in error: no such key: no");
    const accepted = await policies.createConfigMap(lax);
    expect([accepted.status, await annotationsOf(accepted)]).toEqual([201, {}]);
  });
});

describe('a policy in the metrics', () => {
  test('has what was done about its validations and mutations, on worker threads, too', async () => {
    const namespace = await policies.namespace();
    const validations = [{ expression: 'object.data.size() == 0' }];
    const matchConditions = [{ name: 'c', expression: 'true' }];
    const policy = await policies.validating(namespace, { validations, matchConditions });
    const mutations = [apply('Object{ data: {}}')];
    const mutating = await policies.mutating(namespace, { mutations });
    await policies.createConfigMap(namespace, { a: 'b' });
    await policies.createConfigMap(namespace, { a: 'x'.repeat(100_000) });
    const text = (await http.get('/metrics')).body.toString();
    const denied = `enforcement_action="deny",error_type="invalid_error",policy="${policy}",policy_binding="${policy}"`;
    expect(text).toContain(`apiserver_validating_admission_policy_check_total{${denied}} 2\n`);
    expect(text).toContain(`apiserver_validating_admission_policy_check_duration_seconds_count{${denied}} 2\n`);
    const made = `error_type="no_error",policy="${mutating}",policy_binding="${mutating}"`;
    expect(text).toContain(`apiserver_mutating_admission_policy_check_total{${made}} 2\n`);
    const conditions = `kind="policy",name="${policy}",operation="CREATE",type="validate"`;
    expect(text).toContain(`apiserver_admission_match_condition_evaluation_seconds_count{${conditions}} 2\n`);
  });
});

describe('the authorizer of a validating policy', () => {
  test('says what the requester and service accounts may do', async () => {
    const namespace = await policies.namespace();
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
    await policies.created('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'writer' }, rules });
    await policies.created('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'writers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'sa', namespace },
      ],
    });
    await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('', 'configmaps')],
        namespaceSelector: { matchLabels: { own: namespace } },
      },
      validations: [
        { expression: "authorizer.requestResource.check('create').allowed()", message: 'create' },
        {
          expression: `authorizer.serviceAccount('${namespace}', 'sa').group('').resource('configmaps').check('create').allowed()`,
          message: 'service account',
        },
        { expression: "authorizer.path('/version').check('get').allowed()", message: 'path' },
        { expression: "authorizer.requestResource.check('delete').allowed()", message: 'may not delete' },
      ],
    });
    const asJane = { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' } };
    const response = await policies.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'm' } }, asJane);
    expect([response.status, response.json.message]).toEqual([422, expect.stringMatching(/may not delete$/)]);
    expect((await policies.createConfigMap(namespace)).status).toBe(201);
  });
});

describe('who writes a policy', () => {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const rbac = '/apis/rbac.authorization.k8s.io/v1';

  /** Returns the headers of a user who may write policies and read the named ConfigMaps. */
  async function author(name: string, resourceNames?: readonly string[]): Promise<{ headers: Record<string, string> }> {
    const rules = [
      { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames },
    ];
    await policies.created(`${rbac}/clusterroles`, { metadata: { name }, rules });
    await policies.created(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }],
    });
    return { headers: { 'impersonate-user': name } };
  }

  test('must be able to read its parameters', async () => {
    const [reader, stranger] = [await author('reader'), await author('stranger', ['known'])];
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: [rule('', 'pods')] },
      validations: [{ expression: 'params == null' }],
    };
    const path = `${group}/validatingadmissionpolicies`;
    const { status, json } = await policies.post(path, { metadata: { name: 'peek' }, spec }, stranger);
    expect([status, json.details.causes]).toEqual([
      422,
      [
        {
          field: 'spec.paramKind',
          reason: 'FieldValueForbidden',
          message:
            'Forbidden: user &{stranger  [system:authenticated] map[]} must have "get" permission on all objects of the ' +
            'referenced paramKind (kind=ConfigMap, apiVersion=v1)',
        },
      ],
    ]);
    expect((await policies.post(path, { metadata: { name: 'peek' }, spec }, reader)).status).toBe(201);
    const bind = async (name: string, ref: object) => {
      const paramRef = { namespace: 'default', parameterNotFoundAction: 'Deny', ...ref };
      const binding = { metadata: { name }, spec: { policyName: 'peek', validationActions: ['Audit'], paramRef } };
      return (await policies.post(`${group}/validatingadmissionpolicybindings`, binding, stranger)).json;
    };
    expect((await bind('one', { name: 'secret' })).message).toContain(
      'spec.paramRef: Forbidden: user &{stranger  [system:authenticated] map[]} does not have "get" permission on the object referenced by paramRef',
    );
    expect((await bind('two', { selector: {} })).message).toContain('does not have "list" permission');
    expect((await bind('three', { name: 'known' })).kind).toBe('ValidatingAdmissionPolicyBinding');
  });
});
