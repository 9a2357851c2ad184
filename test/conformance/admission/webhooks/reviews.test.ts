import { describe, expect, test } from '@jest/globals';
import { allow, rule } from '../../../support/admission-webhook.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forSuite();
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const resource = { group: '', version: 'v1', resource: 'configmaps' };

describe('an AdmissionReview', () => {
  test('says who writes what', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('configmaps', '*')];
    await fixture.configure('Validating', 'reviewed', { rules, hook: allow }, namespace);
    await fixture.create(`${configMaps(namespace)}?fieldManager=me&dryRun=All`, configMap('one', { data: { a: '1' } }));
    const [{ uid, userInfo, object, ...dry }] = fixture.hooks.take('/reviewed');
    expect(uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(userInfo).toEqual({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching('X509SHA256=')] },
    });
    expect(object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: '1' } });
    expect(object.metadata.uid).toMatch(/-/);
    expect(dry).toEqual({
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'one',
      namespace,
      operation: 'CREATE',
      oldObject: null,
      dryRun: true,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'], fieldManager: 'me' },
    });
    await fixture.create(configMaps(namespace), configMap('one'));
    fixture.hooks.take('/reviewed');
    const at = configMaps(namespace, 'one');
    await fixture.send('PATCH', at, { data: { b: '2' } }, 'application/merge-patch+json');
    expect(fixture.hooks.take('/reviewed')).toMatchObject([
      {
        operation: 'UPDATE',
        dryRun: false,
        options: { kind: 'UpdateOptions' },
        object: { data: { b: '2' } },
        oldObject: { kind: 'ConfigMap', metadata: { name: 'one' } },
      },
    ]);
    await fixture.send('DELETE', at, { gracePeriodSeconds: 0 });
    expect(fixture.hooks.take('/reviewed')).toMatchObject([
      {
        operation: 'DELETE',
        name: 'one',
        object: null,
        oldObject: { data: { b: '2' } },
        options: { kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      },
    ]);
  });

  test.each([
    ['a mutating', 'Mutating', undefined],
    ['a validating', 'Validating', /^generated-.{5}$/],
  ] as const)('to %s webhook has the name that is generated, if there is one yet', async (_about, step, name) => {
    const namespace = await fixture.namespace();
    const at = step.toLowerCase();
    await fixture.configure(step, at, { rules: [rule('configmaps')], hook: allow }, namespace);
    await fixture.create(configMaps(namespace), { metadata: { generateName: 'generated-' } });
    const [request] = fixture.hooks.take(`/${at}`);
    if (name === undefined) expect([request.name, request.object.metadata.uid]).toEqual([undefined, undefined]);
    else expect(request.name).toMatch(name);
  });

  test('about a namespace has its name as the namespace', async () => {
    const rules = [rule('namespaces', '*')];
    const selector = { matchLabels: { watched: 'yes' } };
    await fixture.configure('Validating', 'spaces', { rules, hook: allow, namespaceSelector: selector });
    await fixture.create('/api/v1/namespaces', { metadata: { name: 'watched', labels: { watched: 'yes' } } });
    await fixture.create('/api/v1/namespaces', { metadata: { name: 'unwatched' } });
    await fixture.send('DELETE', '/api/v1/namespaces/watched');
    const requests = fixture.hooks.take('/spaces');
    expect(requests.map(({ operation, name, namespace }) => [operation, name, namespace])).toEqual([
      ['CREATE', 'watched', 'watched'],
      ['DELETE', 'watched', 'watched'],
    ]);
  });

  test('about the scale of a deployment has the kind Scale', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('deployments/scale', 'UPDATE', 'apps/v1')];
    await fixture.configure('Validating', 'scales', { rules, hook: allow }, namespace);
    const at = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await fixture.create(at, { metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } });
    await fixture.send('PATCH', `${at}/d/scale`, { spec: { replicas: 3 } }, 'application/merge-patch+json');
    const [request] = fixture.hooks.take('/scales');
    expect(request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      requestSubResource: 'scale',
      name: 'd',
      object: { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
  });

  test('about a subresource that is created has managed fields, and the name of the path', async () => {
    const namespace = await fixture.namespace();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await fixture.create(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await fixture.configure('Validating', 'bound', { rules: [rule('pods/binding')], hook: allow }, namespace);
    const bind = (name: string) =>
      fixture.send('POST', `${pods}/p/binding?dryRun=All&fieldManager=m`, { metadata: { name }, target: { name: 'n' } });
    expect((await bind('other')).json.message).toBe('name in URL does not match name in Binding object');
    expect(fixture.hooks.take('/bound')).toEqual([]);
    expect((await bind('p')).status).toBe(201);
    const [{ object }] = fixture.hooks.take('/bound');
    expect(object.metadata.managedFields).toMatchObject([
      { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:target': {} }, subresource: 'binding' },
    ]);
  });

  test('has the version that the webhook accepts first', async () => {
    const namespace = await fixture.namespace();
    const versions: string[] = [];
    await fixture.configure(
      'Validating',
      'old',
      {
        rules: [rule('configmaps')],
        admissionReviewVersions: ['v2', 'v1beta1', 'v1'],
        hook: (_request, review) => {
          versions.push(review.apiVersion);
          return { allowed: true };
        },
      },
      namespace,
    );
    await fixture.create(configMaps(namespace), configMap('one'));
    expect(versions).toEqual(['admission.k8s.io/v1beta1']);
  });

  test('about an object in another version has the object that the rule names', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('horizontalpodautoscalers', 'CREATE', 'autoscaling/v2')];
    await fixture.configure('Validating', 'v2-only', { rules, hook: allow }, namespace);
    await fixture.configure('Validating', 'exact', { rules, hook: allow, matchPolicy: 'Exact' }, namespace);
    await fixture.create(`/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`, {
      metadata: { name: 'one' },
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        targetCPUUtilizationPercentage: 70,
      },
    });
    const [request] = fixture.hooks.take('/v2-only');
    expect(request).toMatchObject({
      kind: { version: 'v2' },
      resource: { version: 'v2' },
      requestKind: { version: 'v1' },
      requestResource: { version: 'v1' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    });
    expect(fixture.hooks.take('/exact')).toEqual([]);
  });
});
