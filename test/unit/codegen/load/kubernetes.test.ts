import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadModel } from '../../../../codegen/load/load-model.ts';
import type { ApiModel, FieldModel, ResourceModel, TypeModel } from '../../../../codegen/model/model.ts';
import { distinctOperations } from '../../../../codegen/model/operations.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe('the model of Kubernetes v1.35', () => {
  let model: ApiModel;
  beforeAll(async () => {
    const overlays = `${root}schemas/overlays`;
    model = await loadModel(`${root}schemas/kubernetes/v1.35`, { overlays, includeUnserved: true });
  });

  const type = (id: string): TypeModel => model.types.get(`io.k8s.${id}`)!;
  const field = (id: string, json: string): FieldModel => type(id).fields.find((each) => each.json === json)!;
  const resource = (folder: string, plural: string): ResourceModel =>
    model.groupVersions.find((each) => each.folder === folder)!.resources.find((each) => each.plural === plural)!;

  test('has all 36 served group-versions in the order of discovery, then the unserved', () => {
    const served = model.groupVersions.filter((each) => each.served).map(({ folder }) => folder);
    expect(served).toHaveLength(36);
    expect(served.slice(0, 8)).toEqual([
      'core/v1',
      'apiregistration.k8s.io/v1',
      'apps/v1',
      'events.k8s.io/v1',
      'authentication.k8s.io/v1',
      'authorization.k8s.io/v1',
      'autoscaling/v2',
      'autoscaling/v1',
    ]);
    const others = model.groupVersions.slice(36).map(({ folder }) => folder);
    expect(others).toEqual(expect.arrayContaining(['meta/v1', 'apps/v1beta1', 'extensions/v1beta1', 'imagepolicy.k8s.io/v1alpha1']));
  });

  test('has every operation of the documents', () => {
    expect(model.operations).toHaveLength(1038);
    const ofResources = model.groupVersions.flatMap((each) => each.resources.flatMap(({ operations }) => operations));
    expect(ofResources).toHaveLength(1002);
    expect(distinctOperations(model.operations)).toHaveLength(963);
    expect(new Set(model.operations.map(({ id }) => id)).size).toBe(1038);
  });

  test('has every type that a field refers to', () => {
    const missing: string[] = [];
    const visit = (ref: FieldModel['type'], from: string): void => {
      if (ref.kind === 'message' && !model.types.has(ref.id)) missing.push(`${from} -> ${ref.id}`);
      if (ref.kind === 'list' || ref.kind === 'map') visit(ref.of, from);
    };
    for (const each of model.types.values()) for (const { type: ref, json } of each.fields) visit(ref, `${each.id}.${json}`);
    expect(missing).toEqual([]);
  });

  test('fields are in the order of the Go struct, kind and apiVersion first', () => {
    expect(type('api.core.v1.Pod').fields.map(({ json }) => json)).toEqual(['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    expect(
      type('apimachinery.pkg.apis.meta.v1.ObjectMeta')
        .fields.slice(0, 4)
        .map(({ json }) => json),
    ).toEqual(['name', 'generateName', 'namespace', 'selfLink']);
  });

  test('inlined structs are expanded and keep their field number', () => {
    const probe = type('api.core.v1.Probe');
    expect(probe.inlined).toEqual([{ id: 'io.k8s.api.core.v1.ProbeHandler', protoNumber: 1 }]);
    expect(field('api.core.v1.Probe', 'exec')).toMatchObject({
      inlinedFrom: 'io.k8s.api.core.v1.ProbeHandler',
      pointer: true,
    });
    expect(field('api.core.v1.Probe', 'exec')).not.toHaveProperty('protoNumber');
    expect(field('api.core.v1.Probe', 'timeoutSeconds')).toMatchObject({ protoNumber: 3, wire: 'varint' });
    const rule = 'api.admissionregistration.v1.NamedRuleWithOperations';
    expect(field(rule, 'apiGroups').inlinedFrom).toBe('io.k8s.api.admissionregistration.v1.RuleWithOperations');
  });

  test.each([
    ['api.core.v1.PodSpec', 'containers', '[]v1.Container'],
    ['api.core.v1.PodSpec', 'restartPolicy', 'v1.RestartPolicy'],
    ['api.core.v1.PodSpec', 'nodeSelector', 'map[string]string'],
    ['api.core.v1.PodSpec', 'activeDeadlineSeconds', 'int64'],
    ['api.core.v1.Pod', 'spec', 'v1.PodSpec'],
    ['api.core.v1.Secret', 'data', 'map[string][]uint8'],
    ['api.apps.v1.DeploymentSpec', 'selector', 'v1.LabelSelector'],
    ['api.core.v1.ResourceRequirements', 'limits', 'v1.ResourceList'],
    ['api.authorization.v1.SubjectAccessReviewSpec', 'extra', 'map[string]v1.ExtraValue'],
  ])('Go prints %s.%s as %s', (id, json, want) => {
    expect(field(id, json).goType).toBe(want);
  });

  test.each([
    ['api.core.v1.ServicePort', 'targetPort', { kind: 'special', name: 'IntOrString' }],
    ['api.core.v1.ResourceRequirements', 'limits', { kind: 'map', of: { kind: 'special', name: 'Quantity' } }],
    ['api.core.v1.ConfigMap', 'binaryData', { kind: 'map', of: { kind: 'scalar', name: 'bytes' } }],
    [
      'api.authorization.v1.SubjectAccessReviewSpec',
      'extra',
      {
        kind: 'map',
        of: { kind: 'list', of: { kind: 'scalar', name: 'string' }, message: 'k8s.io.api.authorization.v1.ExtraValue' },
      },
    ],
    [
      'apimachinery.pkg.apis.meta.v1.APIResource',
      'verbs',
      { kind: 'list', of: { kind: 'scalar', name: 'string' }, message: 'k8s.io.apimachinery.pkg.apis.meta.v1.Verbs' },
    ],
    [
      'apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
      'properties',
      {
        kind: 'map',
        of: { kind: 'message', id: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps' },
      },
    ],
    ['apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps', 'items', { kind: 'special', name: 'JSONSchemaPropsOrArray' }],
  ])('%s.%s is of its type', (id, json, want) => {
    expect(field(id, json).type).toEqual(want);
  });

  test('defaults are those of Go markers, not the zero values of OpenAPI', () => {
    expect(field('api.core.v1.ContainerPort', 'protocol').default).toBe('TCP');
    expect(field('api.core.v1.ReplicationControllerSpec', 'replicas').default).toBe(1);
    expect(field('api.core.v1.Container', 'name')).not.toHaveProperty('default');
    expect(field('api.core.v1.Pod', 'spec')).not.toHaveProperty('default');
  });

  test('enumerations come from Go, and overlays open those that are not validated', () => {
    expect(field('api.admissionregistration.v1.MutatingWebhook', 'failurePolicy').enum).toEqual(['Ignore', 'Fail']);
    expect(field('api.core.v1.PodSpec', 'restartPolicy')).toMatchObject({
      enum: ['Always', 'OnFailure', 'Never'],
      openEnum: true,
    });
    expect(field('api.resource.v1.DeviceSubRequest', 'allocationMode').enum).toEqual(['ExactCount', 'All']);
    expect(field('api.core.v1.PodCondition', 'type')).not.toHaveProperty('enum');
  });

  test.each([
    ['core/v1', 'pods', true],
    ['core/v1', 'bindings', false],
    ['core/v1', 'componentstatuses', false],
    ['authentication.k8s.io/v1', 'tokenreviews', false],
    ['authorization.k8s.io/v1', 'subjectaccessreviews', false],
  ])('%s %s is stored: %s', (folder, plural, want) => {
    expect(resource(folder, plural).stored).toBe(want);
  });

  test.each([
    ['autoscaling/v1', 'horizontalpodautoscalers', 'v2'],
    ['resource.k8s.io/v1beta1', 'resourceclaims', 'v1'],
    ['coordination.k8s.io/v1alpha2', 'leasecandidates', 'v1beta1'],
    ['resource.k8s.io/v1alpha3', 'devicetaintrules', 'v1alpha3'],
  ])('%s %s is stored as %s', (folder, plural, want) => {
    expect(resource(folder, plural).storageVersion).toBe(want);
  });

  test('subresources have their own kinds and verbs', () => {
    const pods = Object.fromEntries(resource('core/v1', 'pods').subresources.map((each) => [each.name, each]));
    expect(Object.keys(pods)).toEqual([
      'attach',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'exec',
      'log',
      'portforward',
      'proxy',
      'resize',
      'status',
    ]);
    expect(pods.exec).toMatchObject({ connect: true, verbs: ['create', 'get'], gvk: { kind: 'PodExecOptions' } });
    expect(pods.proxy.verbs).toEqual(['create', 'delete', 'get', 'patch', 'update']);
    expect(pods.eviction.gvk).toEqual({ group: 'policy', kind: 'Eviction', version: 'v1' });
    expect(pods.status).toMatchObject({
      connect: false,
      type: 'io.k8s.api.core.v1.Pod',
      verbs: ['get', 'patch', 'update'],
    });
  });

  test('verbs are in the order of discovery', () => {
    expect(resource('apps/v1', 'deployments').verbs).toEqual([
      'create',
      'delete',
      'deletecollection',
      'get',
      'list',
      'patch',
      'update',
      'watch',
    ]);
    expect(resource('core/v1', 'componentstatuses').verbs).toEqual(['get', 'list']);
  });
});

test('the example group loads with its overlays', async () => {
  const dir = `${root}schemas/examples/library`;
  const model = await loadModel(dir, { overlays: `${dir}/overlays` });
  const resources = model.groupVersions.flatMap((each) => each.resources.map(({ version, plural }) => `${plural}.${version}`));
  expect(resources).toEqual(['books.v1', 'branches.v1', 'books.v1beta1', 'branches.v1beta1']);
  const branches = model.groupVersions[0].resources[1];
  expect(branches.subresources.map(({ name }) => name)).toEqual(['scale', 'status']);
  expect(branches.subresources[0].scale).toEqual({
    specReplicas: 'spec.desks',
    statusReplicas: 'status.openDesks',
    selector: 'status.selector',
  });
  expect(model.groupVersions[1].resources[0].conversion).toEqual({ kind: 'same-shape', missing: [] });
});
