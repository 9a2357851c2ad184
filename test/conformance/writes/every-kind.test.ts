import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import { formatGroupResource, formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import { ResourceRegistry } from '../../../runtime/resources/registry.ts';
import { keyPrefix } from '../../../runtime/storage/object-store/keys.ts';
import { WriteFixture } from '../../support/write-fixture.ts';
import { leastObjects } from './kind-objects.ts';

/**
 * Kinds with upstream's AllowCreateOnUpdate. Every other kind is created only by POST or apply.
 * (pkg/registry/*\/*\/strategy.go)
 */
const createdByPut: ReadonlySet<string> = new Set([
  'endpoints',
  'events',
  'events.events.k8s.io',
  'limitranges',
  'services',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'leases.coordination.k8s.io',
  'leasecandidates.coordination.k8s.io',
  'runtimeclasses.node.k8s.io',
]);

/** Kinds without upstream's AllowUnconditionalUpdate: a PUT needs the replaced resourceVersion. */
const versionRequired: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'clustertrustbundles.certificates.k8s.io',
  'podcertificaterequests.certificates.k8s.io',
  'poddisruptionbudgets.policy',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'storageversions.internal.apiserver.k8s.io',
  'storageversionmigrations.storagemigration.k8s.io',
  'leases.coordination.k8s.io',
  'leasecandidates.coordination.k8s.io',
  'runtimeclasses.node.k8s.io',
]);

/** Kinds with upstream's ReturnDeletedObject: the response to a DELETE is the object. (each kind's storage.go) */
const returnedByDelete: ReadonlySet<string> = new Set([
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);

/** Kinds whose keys in etcd do not begin with the plural. (SpecialDefaultResourcePrefixes, SimpleStorageFactory) */
const etcdKeys: Readonly<Record<string, string>> = {
  replicationcontrollers: '/registry/controllers/x',
  endpoints: '/registry/services/endpoints/x',
  services: '/registry/services/specs/x',
  nodes: '/registry/minions/x',
  'ingresses.networking.k8s.io': '/registry/ingress/x',
  'customresourcedefinitions.apiextensions.k8s.io': '/registry/apiextensions.k8s.io/customresourcedefinitions/x',
  'apiservices.apiregistration.k8s.io': '/registry/apiregistration.k8s.io/apiservices/x',
};

const served = catalog.groupVersions.flatMap(({ resources }) => resources).filter(({ stored }) => stored);

describe('what the strategy of a kind allows', () => {
  const registry = new ResourceRegistry();
  registry.add(catalog);

  test.each(served.map((facts) => [`${formatGroupVersion(facts)} ${facts.resource}`, facts] as const))(
    '%s is created and updated as upstream, under the same key',
    async (_title, facts) => {
      const definition = await registry.definition(facts);
      const { writeRules } = definition;
      const name = formatGroupResource(facts);
      expect([writeRules.createOnUpdate, writeRules.unconditionalUpdate]).toEqual([createdByPut.has(name), !versionRequired.has(name)]);
      const key = `${keyPrefix(definition)}x`;
      expect(key).toBe(etcdKeys[name] ?? `/registry/${facts.resource}/x`);
    },
  );
});

describe('over HTTP', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  const cases = served
    .map((facts) => [`${formatGroupVersion(facts)} ${facts.resource}`, facts] as const)
    .filter(([title]) => leastObjects[title] !== undefined);

  test('nearly every stable kind is tested', () => {
    const stable = served.filter(({ version }) => /^v\d+$/.test(version)).map(formatGroupResource);
    const tried = new Set(cases.map(([, facts]) => formatGroupResource(facts)));
    // they need a service to call, or a signed certificate request
    const others = ['apiservices.apiregistration.k8s.io', 'certificatesigningrequests.certificates.k8s.io'];
    expect(stable.filter((name) => !tried.has(name))).toEqual(others);
  });

  test.each(cases)(
    '%s: PUT may create it, an update may need a resourceVersion, and deletion returns it or a Status, as upstream',
    async (title, facts) => {
      const apiVersion = formatGroupVersion(facts);
      const groupResource = formatGroupResource(facts);
      const root = facts.group === '' ? `/api/${facts.version}` : `/apis/${apiVersion}`;
      const collection = `${root}/${facts.namespaced ? 'namespaces/default/' : ''}${facts.resource}`;
      const { metadata, ...content } = leastObjects[title];
      const name = metadata?.name ?? 'least';
      const object = { apiVersion, kind: facts.kind, metadata: { name }, ...content };

      const put = await fixture.put(`${collection}/${name}`, object);
      if (createdByPut.has(groupResource)) expect([put.status, put.json.message]).toEqual([201, undefined]);
      else {
        expect([put.status, put.json.message]).toEqual([404, `${groupResource} "${name}" not found`]);
        const made = await fixture.create(collection, object);
        expect([made.status, made.json.message]).toEqual([201, undefined]);
      }

      const current = (await fixture.get(`${collection}/${name}`)).json;
      const { resourceVersion, ...own } = current.metadata;
      const labelled = { ...current, metadata: { ...own, labels: { ...own.labels, a: 'b' } } };
      const replaced = await fixture.put(`${collection}/${name}`, labelled);
      if (versionRequired.has(groupResource)) {
        expect(replaced.json).toMatchObject({
          code: 422,
          message: `${groupResource} "${name}" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
        });
      } else expect([replaced.status, replaced.json.metadata.labels]).toEqual([200, expect.objectContaining({ a: 'b' })]);

      const deleted = await fixture.remove(`${collection}/${name}`);
      expect([deleted.status, deleted.json.kind]).toEqual([
        200,
        returnedByDelete.has(groupResource) || deleted.json.metadata?.finalizers ? facts.kind : 'Status',
      ]);
    },
  );
});
