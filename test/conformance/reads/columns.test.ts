import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import { ObjectFixture } from '../../support/object-fixture.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/**
 * The columns of every listable kind. (pkg/printers/internalversion/printers.go AddHandlers; kinds without a printer:
 * apiserver pkg/registry/rest/table.go; API services: kube-aggregator)
 *
 * `*` is the format `name`, `#` an integer, `?` a boolean, `@` a date, `+` a column of `-o wide` only.
 */
const columns: readonly (readonly [path: string, columns: string])[] = [
  ['/api/v1/componentstatuses', 'Name*, Status, Message, Error'],
  ['/api/v1/configmaps', 'Name*, Data, Age'],
  ['/api/v1/endpoints', 'Name*, Endpoints, Age'],
  ['/api/v1/events', 'Last Seen, Type, Reason, Object, Subobject+, Source+, Message, First Seen+, Count+, Name*+'],
  ['/api/v1/limitranges', 'Name*, Created At@'],
  ['/api/v1/namespaces', 'Name*, Status, Age'],
  ['/api/v1/nodes', 'Name*, Status, Roles, Age, Version, Internal-IP+, External-IP+, OS-Image+, Kernel-Version+, Container-Runtime+'],
  [
    '/api/v1/persistentvolumeclaims',
    'Name*, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode+',
  ],
  [
    '/api/v1/persistentvolumes',
    'Name*, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode+',
  ],
  ['/api/v1/pods', 'Name*, Ready, Status, Restarts, Age, IP+, Node+, Nominated Node+, Readiness Gates+'],
  ['/api/v1/podtemplates', 'Name*, Containers, Images, Pod Labels'],
  ['/api/v1/replicationcontrollers', 'Name*, Desired#, Current#, Ready#, Age, Containers+, Images+, Selector+'],
  ['/api/v1/resourcequotas', 'Name*, Request, Limit, Age'],
  ['/api/v1/secrets', 'Name*, Type, Data, Age'],
  ['/api/v1/serviceaccounts', 'Name*, Age'],
  ['/api/v1/services', 'Name*, Type, Cluster-IP, External-IP, Port(s), Age, Selector+'],
  ['/apis/apiregistration.k8s.io/v1/apiservices', 'Name*, Service, Available, Age'],
  ['/apis/apps/v1/controllerrevisions', 'Name*, Controller, Revision, Age'],
  [
    '/apis/apps/v1/daemonsets',
    'Name*, Desired#, Current#, Ready#, Up-to-date#, Available#, Node Selector, Age, Containers+, Images+, Selector+',
  ],
  ['/apis/apps/v1/deployments', 'Name*, Ready, Up-to-date, Available, Age, Containers+, Images+, Selector+'],
  ['/apis/apps/v1/replicasets', 'Name*, Desired#, Current#, Ready#, Age, Containers+, Images+, Selector+'],
  ['/apis/apps/v1/statefulsets', 'Name*, Ready, Age, Containers+, Images+'],
  ['/apis/events.k8s.io/v1/events', 'Last Seen, Type, Reason, Object, Subobject+, Source+, Message, First Seen+, Count+, Name*+'],
  ['/apis/autoscaling/v2/horizontalpodautoscalers', 'Name*, Reference, Targets, MinPods, MaxPods, Replicas, Age'],
  ['/apis/autoscaling/v1/horizontalpodautoscalers', 'Name*, Reference, Targets, MinPods, MaxPods, Replicas, Age'],
  ['/apis/batch/v1/cronjobs', 'Name*, Schedule, Timezone, Suspend?, Active#, Last Schedule, Age, Containers+, Images+, Selector+'],
  ['/apis/batch/v1/jobs', 'Name*, Status, Completions, Duration, Age, Containers+, Images+, Selector+'],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 'Name*, Age, SignerName, Requestor, RequestedDuration, Condition'],
  ['/apis/certificates.k8s.io/v1beta1/clustertrustbundles', 'Name*, SignerName'],
  [
    '/apis/certificates.k8s.io/v1beta1/podcertificaterequests',
    'Name*, PodName, ServiceAccountName, NodeName, SignerName, State, UnverifiedUserAnnotations',
  ],
  ['/apis/certificates.k8s.io/v1alpha1/clustertrustbundles', 'Name*, SignerName'],
  ['/apis/networking.k8s.io/v1/ingressclasses', 'Name*, Controller, Parameters, Age'],
  ['/apis/networking.k8s.io/v1/ingresses', 'Name*, Class, Hosts, Address, Ports, Age'],
  ['/apis/networking.k8s.io/v1/ipaddresses', 'Name*, ParentRef'],
  ['/apis/networking.k8s.io/v1/networkpolicies', 'Name*, Pod-Selector, Age'],
  ['/apis/networking.k8s.io/v1/servicecidrs', 'Name*, CIDRs, Age'],
  ['/apis/networking.k8s.io/v1beta1/ipaddresses', 'Name*, ParentRef'],
  ['/apis/networking.k8s.io/v1beta1/servicecidrs', 'Name*, CIDRs, Age'],
  ['/apis/policy/v1/poddisruptionbudgets', 'Name*, Min Available, Max Unavailable, Allowed Disruptions#, Age'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 'Name*, Role, Age, Users+, Groups+, ServiceAccounts+'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'Name*, Created At@'],
  ['/apis/rbac.authorization.k8s.io/v1/rolebindings', 'Name*, Role, Age, Users+, Groups+, ServiceAccounts+'],
  ['/apis/rbac.authorization.k8s.io/v1/roles', 'Name*, Created At@'],
  [
    '/apis/storage.k8s.io/v1/csidrivers',
    'Name*, AttachRequired?, PodInfoOnMount?, StorageCapacity?, TokenRequests, RequiresRepublish?, Modes, Age',
  ],
  ['/apis/storage.k8s.io/v1/csinodes', 'Name*, Drivers#, Age'],
  ['/apis/storage.k8s.io/v1/csistoragecapacities', 'Name*, Created At@'],
  ['/apis/storage.k8s.io/v1/storageclasses', 'Name*, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age'],
  ['/apis/storage.k8s.io/v1/volumeattachments', 'Name*, Attacher*, PV, Node, Attached?, Age'],
  ['/apis/storage.k8s.io/v1/volumeattributesclasses', 'Name*, DriverName, Age'],
  ['/apis/storage.k8s.io/v1beta1/volumeattributesclasses', 'Name*, DriverName, Age'],
  ['/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', 'Name*, Webhooks#, Age'],
  ['/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', 'Name*, Validations#, ParamKind, Age'],
  ['/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', 'Name*, PolicyName, ParamRef, Age'],
  ['/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', 'Name*, Webhooks#, Age'],
  ['/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies', 'Name*, Mutations#, ParamKind, Age'],
  ['/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicybindings', 'Name*, PolicyName, ParamRef, Age'],
  ['/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies', 'Name*, Mutations#, ParamKind, Age'],
  ['/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings', 'Name*, PolicyName, ParamRef, Age'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'Name*, Created At@'],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', 'Name*, Value#, Global-Default?, Age, PreemptionPolicy'],
  ['/apis/scheduling.k8s.io/v1alpha1/workloads', 'Name*, Age'],
  ['/apis/coordination.k8s.io/v1/leases', 'Name*, Holder, Age'],
  ['/apis/coordination.k8s.io/v1beta1/leasecandidates', 'Name*, LeaseName, BinaryVersion, EmulationVersion, Age'],
  ['/apis/coordination.k8s.io/v1alpha2/leasecandidates', 'Name*, LeaseName, BinaryVersion, EmulationVersion, Age'],
  ['/apis/node.k8s.io/v1/runtimeclasses', 'Name*, Handler, Age'],
  ['/apis/discovery.k8s.io/v1/endpointslices', 'Name*, AddressType, Ports, Endpoints, Age'],
  ['/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', 'Name*, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL'],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    'Name*, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age',
  ],
  ['/apis/internal.apiserver.k8s.io/v1alpha1/storageversions', 'Name*, CommonEncodingVersion, StorageVersions, Age'],
  ['/apis/resource.k8s.io/v1/deviceclasses', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1/resourceclaims', 'Name*, State, Age'],
  ['/apis/resource.k8s.io/v1/resourceclaimtemplates', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1/resourceslices', 'Name*, Node, Driver, Pool, Age'],
  ['/apis/resource.k8s.io/v1beta2/deviceclasses', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1beta2/resourceclaims', 'Name*, State, Age'],
  ['/apis/resource.k8s.io/v1beta2/resourceclaimtemplates', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1beta2/resourceslices', 'Name*, Node, Driver, Pool, Age'],
  ['/apis/resource.k8s.io/v1beta1/deviceclasses', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1beta1/resourceclaims', 'Name*, State, Age'],
  ['/apis/resource.k8s.io/v1beta1/resourceclaimtemplates', 'Name*, Age'],
  ['/apis/resource.k8s.io/v1beta1/resourceslices', 'Name*, Node, Driver, Pool, Age'],
  ['/apis/resource.k8s.io/v1alpha3/devicetaintrules', 'Name*, Key, Value, Effect, TimeAdded, Age'],
  ['/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', 'Name, Resource, Status'],
];

const marks: Readonly<Record<string, string>> = { integer: '#', boolean: '?', date: '@' };

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const summary = ({ name, type, format, priority }: Column): string =>
  `${name}${format === 'name' ? '*' : ''}${marks[type] ?? ''}${priority === 1 ? '+' : ''}`;

describe('the columns of', () => {
  let fixture: ObjectFixture;
  beforeAll(async () => {
    fixture = await ObjectFixture.open('memory', { runtimeConfig: ['api/all=true'] });
  });
  afterAll(() => fixture.close());

  test.each(columns)('%s', async (path, want) => {
    const { status, json } = await fixture.get(path, {}, table);
    expect(status).toBe(200);
    const definitions: Column[] = json.columnDefinitions;
    expect(definitions.map(summary).join(', ')).toBe(want);
    for (const { type, description } of definitions) {
      expect(['string', 'integer', 'boolean', 'date']).toContain(type);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
    // rows of IP addresses have an age, too
    const more = path.endsWith('/ipaddresses') ? 1 : 0;
    for (const { cells } of json.rows ?? []) expect(cells).toHaveLength(definitions.length + more);
  });

  test('all kinds that can be listed have them here', async () => {
    const listed: string[] = [];
    for (const groupVersion of catalog.groupVersions) {
      for (const { group, version, resource, verbs } of await groupVersion.load()) {
        if (verbs.includes('list')) listed.push(`${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}`);
      }
    }
    expect(columns.map(([path]) => path).sort()).toEqual(listed.sort());
  });
});
