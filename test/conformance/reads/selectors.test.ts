import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import { namesOf, ObjectFixture, storages } from '../../support/object-fixture.ts';

/** kube-apiserver's field labels of each kind, besides name and namespace. */
const labels: [path: string, fields: string[]][] = [
  [
    '/api/v1/pods',
    [
      'spec.nodeName',
      'spec.host',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
  ],
  [
    '/api/v1/events',
    [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  ],
  ['/api/v1/nodes', ['spec.unschedulable']],
  ['/api/v1/namespaces', ['status.phase']],
  ['/api/v1/replicationcontrollers', ['status.replicas']],
  ['/api/v1/secrets', ['type']],
  ['/api/v1/services', ['spec.clusterIP', 'spec.type']],
  [
    '/apis/events.k8s.io/v1/events',
    [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => `regarding.${field}`),
      'reason',
      'reportingController',
      'type',
    ],
  ],
  ['/apis/batch/v1/jobs', ['status.successful']],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', ['spec.signerName']],
  ['/apis/resource.k8s.io/v1/resourceslices', ['spec.nodeName', 'spec.driver']],
];

/** Kinds that are served only on request. */
const betas = new Set([
  '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles',
  '/apis/certificates.k8s.io/v1beta1/clustertrustbundles',
  '/apis/certificates.k8s.io/v1beta1/podcertificaterequests',
  '/apis/resource.k8s.io/v1beta1/resourceslices',
  '/apis/resource.k8s.io/v1beta2/resourceslices',
]);

describe.each(storages)('over %s storage', (storage) => {
  let fixture: ObjectFixture;
  let maps: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage);
    maps = await fixture.fresh();
    await fixture.put(maps, 'one', {}, { size: '1', 'app.io/tier': 'web' });
    await fixture.put(maps, 'two', {}, { size: '2', 'app.io/tier': 'db' });
    await fixture.put(maps, 'ten', {}, { size: '10' });
    await fixture.put(maps, 'none');
  });
  afterAll(() => fixture.close());

  describe('label selectors', () => {
    test.each([
      ['', ['none', 'one', 'ten', 'two']],
      ['size=1', ['one']],
      ['size==1', ['one']],
      ['size!=1', ['none', 'ten', 'two']],
      ['size in (1, 2)', ['one', 'two']],
      ['size notin (1,2)', ['none', 'ten']],
      ['app.io/tier', ['one', 'two']],
      ['!app.io/tier', ['none', 'ten']],
      ['size>1', ['ten', 'two']],
      ['size<10', ['one', 'two']],
      ['size>1,size<10', ['two']],
      ['app.io/tier in (web,db),size!=2', ['one']],
      ['size=', []],
      ['app.io/tier in (db,)', ['two']],
    ])('%s', async (labelSelector, names) => {
      expect(namesOf(await fixture.get(maps, { labelSelector }))).toEqual(names);
    });

    test.each([
      ['size in 1', "unable to parse requirement: found '1' expected: '('"],
      ['size=1,', "found '', expected: identifier after ','"],
      [
        'size>big',
        "unable to parse requirement: values[0]: Invalid value: \"big\": for 'Gt', 'Lt' operators, the value must be an integer",
      ],
      [
        '-bad=1',
        "unable to parse requirement: <nil>: Invalid value: \"-bad\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ])('%s is rejected', async (labelSelector, why) => {
      const { status, json } = await fixture.get(maps, { labelSelector });
      expect([status, json.reason]).toEqual([400, 'BadRequest']);
      expect(json.message).toContain(why);
    });
  });

  describe('field selectors', () => {
    test.each([
      ['metadata.name=one', ['one']],
      ['metadata.name!=one', ['none', 'ten', 'two']],
      ['metadata.name=one,metadata.name=two', []],
      ['metadata.namespace=elsewhere', []],
      ['metadata.name=one,metadata.namespace!=elsewhere', ['one']],
    ])('%s', async (fieldSelector, names) => {
      expect(namesOf(await fixture.get(maps, { fieldSelector }))).toEqual(names);
    });

    test('restrict all namespaces to one', async () => {
      const namespace = maps.split('/')[4];
      const all = await fixture.get('/api/v1/configmaps', {
        fieldSelector: `metadata.namespace=${namespace}`,
        limit: 3,
      });
      expect(namesOf(all)).toEqual(['none', 'one', 'ten']);
      const query = {
        fieldSelector: `metadata.namespace=${namespace}`,
        limit: 3,
        continue: all.json.metadata.continue,
      };
      expect(namesOf(await fixture.get('/api/v1/configmaps', query))).toEqual(['two']);
    });

    test.each([
      ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
      ['data.x=1', '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ])('%s is rejected', async (fieldSelector, why) => {
      const { status, json } = await fixture.get(maps, { fieldSelector });
      expect([status, json.message]).toEqual([400, why]);
    });
  });

  describe('field selectors of kinds with selectable fields', () => {
    test.each(labels.flatMap(([path, fields]) => fields.map((field) => [path, field])))('%s: %s', async (path, field) => {
      const { status, json } = await fixture.get(path, { fieldSelector: `${field}=nothing-has-this` });
      expect([status, json.items]).toEqual([200, []]);
    });

    test('are the only ones of those kinds', async () => {
      const tested = new Map(labels.map(([path, fields]) => [path, fields]));
      for (const groupVersion of catalog.groupVersions) {
        for (const { group, version, resource, selectableFields } of await groupVersion.load()) {
          const fields = Object.keys(selectableFields);
          const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}`;
          if (fields.length > 0 && !betas.has(path)) expect([path, fields.sort()]).toEqual([path, [...(tested.get(path) ?? [])].sort()]);
        }
      }
    });

    test.each([
      ['/api/v1/pods', 'spec.x', 'field label not supported: spec.x'],
      ['/api/v1/nodes', 'metadata.namespace', 'field label not supported: metadata.namespace'],
      ['/apis/batch/v1/jobs', 'spec.x', 'field label "spec.x" not supported for Job'],
      ['/apis/resource.k8s.io/v1/resourceslices', 'spec.x', 'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.x'],
      // upstream has no label conversion for this selectable field (pkg/apis/apps/v1/conversion.go)
      [
        '/apis/apps/v1/replicasets',
        'status.replicas',
        '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ],
      [
        '/apis/apps/v1/deployments',
        'spec.replicas',
        '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ],
    ])('%s does not select by %s', async (path, field, message) => {
      const { status, json } = await fixture.get(path, { fieldSelector: `${field}=x` });
      expect([status, json.reason, json.message]).toEqual([400, 'BadRequest', message]);
      const watched = await fixture.get(path, { watch: '1', fieldSelector: `${field}=x` });
      expect(watched.status).toBe(400);
    });

    test('select objects by them', async () => {
      const pods = maps.replace('configmaps', 'pods');
      const spec = {
        containers: [{ name: 'c', image: 'i' }],
        restartPolicy: 'Never',
        nodeName: 'n1',
        hostNetwork: true,
      };
      await fixture.put(pods, 'found', { spec });
      await fixture.put(pods, 'other', { spec: { containers: spec.containers } });
      for (const [field, value] of [
        ['spec.nodeName', 'n1'],
        ['spec.host', 'n1'],
        ['spec.restartPolicy', 'Never'],
        ['spec.hostNetwork', 'true'],
      ]) {
        expect(namesOf(await fixture.get(pods, { fieldSelector: `${field}=${value}` }))).toEqual(['found']);
        expect(namesOf(await fixture.get(pods, { fieldSelector: `${field}!=${value}` }))).toEqual(['other']);
      }
      expect(namesOf(await fixture.get(pods, { fieldSelector: 'status.phase=Pending' }))).toEqual(['found', 'other']);
      const setStatus = async (name: string, status: object): Promise<void> => {
        const body = JSON.stringify({ status });
        const path = `${pods}/${name}/status`;
        const response = await fixture.client.send('PATCH', path, body, 'application/merge-patch+json');
        expect(response.status).toBe(200);
      };
      await setStatus('found', { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] });
      // only an unbound pod can be nominated
      await setStatus('other', { nominatedNodeName: 'n2' });
      expect(namesOf(await fixture.get(pods, { fieldSelector: 'status.podIP=10.0.0.1' }))).toEqual(['found']);
      expect(namesOf(await fixture.get(pods, { fieldSelector: 'status.nominatedNodeName=n2' }))).toEqual(['other']);
      // upstream accepts this label, but has no value for it
      expect(namesOf(await fixture.get(pods, { fieldSelector: 'status.podIPs=10.0.0.1' }))).toEqual([]);
      expect(namesOf(await fixture.get(pods, { fieldSelector: 'status.podIPs!=10.0.0.1' }))).toEqual(['found', 'other']);
    });
  });
});
