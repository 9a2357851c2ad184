import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture, warningsOf } from '../../support/write-fixture.ts';

const runtimeConfig = [
  'resource.k8s.io/v1beta1=true',
  'storage.k8s.io/v1beta1=true',
  'networking.k8s.io/v1beta1=true',
  'coordination.k8s.io/v1alpha2=true',
  'certificates.k8s.io/v1alpha1=true',
  'admissionregistration.k8s.io/v1alpha1=true',
];

describe('clients of a deprecated version get a warning', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ runtimeConfig });
  });
  afterAll(() => fixture.close());

  test.each([
    ['/api/v1/namespaces/default/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
    ['/api/v1/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
    ['/apis/resource.k8s.io/v1beta1/deviceclasses', 'resource.k8s.io/v1beta1 DeviceClass is deprecated in v1.35+, unavailable in v1.38+'],
    [
      '/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims',
      'resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+',
    ],
    [
      '/apis/storage.k8s.io/v1beta1/volumeattributesclasses',
      'storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass',
    ],
    [
      '/apis/networking.k8s.io/v1beta1/servicecidrs',
      'networking.k8s.io/v1beta1 ServiceCIDR is deprecated in v1.34+, unavailable in v1.37+',
    ],
    [
      '/apis/coordination.k8s.io/v1alpha2/namespaces/default/leasecandidates',
      'coordination.k8s.io/v1alpha2 LeaseCandidate is deprecated in v1.35+, unavailable in v1.38+',
    ],
    [
      '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles',
      'certificates.k8s.io/v1alpha1 ClusterTrustBundle is deprecated in v1.34+, unavailable in v1.37+',
    ],
    [
      '/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies',
      'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy is deprecated in v1.35+, unavailable in v1.38+',
    ],
  ])('%s, for a list', async (path, expected) => {
    const list = await fixture.get(path);
    expect([list.status, warningsOf(list)]).toEqual([200, [expected]]);
  });

  const endpoints = '/api/v1/namespaces/default/endpoints';
  const warning = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
  const object = { metadata: { name: 'e' }, subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }] };

  test('on every verb, once, and for absent objects', async () => {
    const responses = [
      [201, await fixture.create(endpoints, object)],
      [200, await fixture.get(`${endpoints}/e`)],
      [200, await fixture.put(`${endpoints}/e`, object)],
      [200, await fixture.patch('merge', `${endpoints}/e`, { metadata: { labels: { a: 'b' } } })],
      [200, await fixture.http.get(`${endpoints}?watch=true`, { headOnly: true })],
      [200, await fixture.http.get(endpoints, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })],
      [200, await fixture.remove(`${endpoints}/e`)],
      [404, await fixture.get(`${endpoints}/e`)],
      [200, await fixture.remove(endpoints)],
    ] as const;
    for (const [status, response] of responses) expect([response.status, warningsOf(response)]).toEqual([status, [warning]]);
  });

  test('before other warnings', async () => {
    const subsets = [{ addresses: [{ ip: '01.2.3.4' }], ports: [{ port: 80 }] }];
    const made = await fixture.create(`${endpoints}?dryRun=All`, { metadata: { name: 'old' }, subsets });
    expect(warningsOf(made)).toEqual([
      warning,
      'subsets[0].addresses[0].ip: non-standard IP address "01.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    ]);
  });

  test.each(['/api/v1/configmaps', '/apis/apps/v1/deployments', '/apis/resource.k8s.io/v1/deviceclasses'])(
    '%s causes no warning',
    async (path) => {
      const list = await fixture.get(path);
      expect([list.status, list.headers.warning]).toEqual([200, undefined]);
    },
  );
});
