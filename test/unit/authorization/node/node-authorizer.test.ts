import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { AuthorizerAttributes } from '../../../../runtime/authorization/authorizer.ts';
import { Graph } from '../../../../runtime/authorization/node/graph.ts';
import { nodeAuthorizer } from '../../../../runtime/authorization/node/node-authorizer.ts';
import { parseFeatureGates } from '../../../../runtime/machinery/feature-gates/feature-gates.ts';

const isServiceList = ({ verb, resource }: AuthorizerAttributes): boolean => verb === 'list' && resource === 'services';

const pod = (name: string, nodeName: string | undefined, more: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name, namespace: 'n' },
  spec: { nodeName, serviceAccountName: `${name}-account`, containers: [], ...more },
});

/** Returns pods p1 on node one and p2 on node two, which share a secret. */
function graphOfTwoNodes(): Graph {
  const graph = new Graph();
  graph.setPod(
    pod('p1', 'one', {
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'from' } }, { configMapRef: { name: 'map-from' } }] }],
      containers: [
        {
          name: 'c',
          env: [
            { name: 'a', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } },
            { name: 'b', valueFrom: { configMapKeyRef: { name: 'map-key', key: 'k' } } },
          ],
        },
      ],
      volumes: [
        { name: 'v', secret: { secretName: 'volume' } },
        { name: 'w', projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'map' } }] } },
        { name: 'x', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'y', ephemeral: {} },
        { name: 'z', csi: { driver: 'd', nodePublishSecretRef: { name: 'publish' } } },
      ],
      resourceClaims: [
        { name: 'r', resourceClaimName: 'direct' },
        { name: 's', resourceClaimTemplateName: 't' },
      ],
    }),
  );
  graph.setPod(pod('p2', 'two', { volumes: [{ name: 'v', secret: { secretName: 'volume' } }] }));
  graph.setPod(pod('p3', undefined, { volumes: [{ name: 'v', secret: { secretName: 'unbound' } }] }));
  graph.setPod({
    ...pod('mirror', 'one', { volumes: [{ name: 'v', secret: { secretName: 'mirrored' } }] }),
    metadata: { name: 'mirror', namespace: 'n', annotations: { 'kubernetes.io/config.mirror': 'x' } },
  });
  graph.setPersistentVolume({
    metadata: { name: 'pv' },
    spec: {
      claimRef: { namespace: 'n', name: 'claim' },
      iscsi: { iqn: '', lun: 0, targetPortal: '', secretRef: { name: 'of-claim' } },
    },
  });
  graph.setPersistentVolume({
    metadata: { name: 'csi' },
    spec: {
      claimRef: { namespace: 'n', name: 'p1-y' },
      csi: {
        driver: 'd',
        volumeHandle: 'h',
        nodeStageSecretRef: { namespace: 'm', name: 'stage' },
        controllerPublishSecretRef: { namespace: 'm', name: 'controller' },
      },
    },
  });
  graph.setPersistentVolume({ metadata: { name: 'free' }, spec: {} });
  graph.setNode({ resource: 'volumeattachments', namespace: '', name: 'attachment' }, 'one');
  graph.setNode({ resource: 'resourceslices', namespace: '', name: 'slice' }, 'one');
  graph.setNode({ resource: 'podcertificaterequests', namespace: 'n', name: 'request' }, 'one');
  return graph;
}

/** Parses `verb group/resource/subresource namespace/name?fieldSelector` of node one. */
function attributesOf(request: string): AuthorizerAttributes {
  const [verb, path, object = '/', fieldSelector = ''] = request.split(' ');
  const [group, resource, subresource = ''] = path.split('/');
  const [namespace, name] = object.split('/');
  const user = { name: 'system:node:one', uid: '', groups: ['system:nodes'], extra: {} };
  return {
    user,
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
    isResourceRequest: true,
    path: '',
    version: 'v1',
  };
}

const unrelated = "no relationship found between node 'one' and this object";

describe('the node authorizer', () => {
  const authorizer = nodeAuthorizer(graphOfTwoNodes(), isServiceList, parseFeatureGates([]));

  test.each([
    ...['pull', 'from', 'key', 'volume', 'projected', 'publish', 'of-claim'].map((name) => `get /secrets n/${name}`),
    'list /secrets n/volume',
    'watch /secrets n/volume',
    'get /secrets m/stage',
    ...['map-from', 'map-key', 'map'].map((name) => `watch /configmaps n/${name}`),
    'get /persistentvolumeclaims n/claim',
    'get /persistentvolumeclaims n/p1-y',
    'patch /persistentvolumeclaims/status n/claim',
    'get /persistentvolumes /pv',
    'get /persistentvolumes /csi',
    'get resource.k8s.io/resourceclaims n/direct',
    'get storage.k8s.io/volumeattachments /attachment',
    'get /serviceaccounts n/p1-account',
    'create /serviceaccounts/token n/p1-account',
    'list /services',
    'create coordination.k8s.io/leases kube-node-lease/',
    'delete coordination.k8s.io/leases kube-node-lease/one',
    'create storage.k8s.io/csinodes',
    'update storage.k8s.io/csinodes /one',
    'create resource.k8s.io/resourceslices',
    'delete resource.k8s.io/resourceslices /slice',
    'deletecollection resource.k8s.io/resourceslices / spec.nodeName=one',
    'get /nodes /one',
    'list /nodes /one',
    'create /nodes',
    'patch /nodes /two',
    'patch /nodes/status /two',
    'get /pods n/p1',
    'watch /pods n/p1',
    'list /pods / a=b,spec.nodeName=one',
    'create /pods n/',
    'delete /pods n/p2',
    'patch /pods/status n/p2',
    'create /pods/eviction n/p2',
  ])('lets a kubelet %s', (request) => expect(authorizer.authorize(attributesOf(request))).toEqual({ decision: 'allow', reason: '' }));

  test.each([
    ['', 34, 'allow', ''],
    ['', 33, 'no-opinion', 'not allowed to get service accounts'],
    ['KubeletServiceAccountTokenForCredentialProviders=false', 35, 'no-opinion', 'not allowed to get service accounts'],
    ['KubeletServiceAccountTokenForCredentialProviders=false,PodCertificateRequest=true', 35, 'allow', ''],
  ])('with the gates "%s" of v1.%i: %s to get the service account of a pod', (gates, minor, decision, reason) => {
    const gated = nodeAuthorizer(graphOfTwoNodes(), isServiceList, parseFeatureGates([gates], minor));
    expect(gated.authorize(attributesOf('get /serviceaccounts n/p1-account'))).toEqual({ decision, reason });
  });

  const certificates = 'certificates.k8s.io/podcertificaterequests';
  test.each([
    ['create', 'n/', 'allow', ''],
    ['get', 'n/request', 'allow', ''],
    ['watch', ' spec.nodeName=one', 'allow', ''],
    ['get', 'n/other', 'no-opinion', unrelated],
    ['get', 'm/request', 'no-opinion', unrelated],
    ['list', 'n/', 'no-opinion', 'can only list/watch podcertificaterequests with nodeName field selector'],
    ['list', ' spec.nodeName=two', 'no-opinion', 'can only list/watch podcertificaterequests with nodeName field selector'],
    ['delete', 'n/request', 'no-opinion', 'nodes may not delete podcertificaterequests'],
    ['deletecollection', 'n/ spec.nodeName=one', 'no-opinion', 'nodes may not deletecollection podcertificaterequests'],
  ])('with certificates of pods: %s %s is %s', (verb, object, decision, reason) => {
    const gated = nodeAuthorizer(graphOfTwoNodes(), isServiceList, parseFeatureGates(['PodCertificateRequest=true']));
    expect(gated.authorize(attributesOf(`${verb} ${certificates} ${object}`))).toEqual({ decision, reason });
    expect(authorizer.authorize(attributesOf(`${verb} ${certificates} ${object}`))).toEqual({ decision: 'no-opinion', reason: '' });
  });

  test('with certificates of pods: nodes do not see their status', () => {
    const gated = nodeAuthorizer(graphOfTwoNodes(), isServiceList, parseFeatureGates(['PodCertificateRequest=true']));
    const reason = 'nodes may not access the status subresource of PodCertificateRequests';
    expect(gated.authorize(attributesOf(`update ${certificates}/status n/request`))).toEqual({ decision: 'no-opinion', reason });
  });

  test.each([
    ...['unbound', 'mirrored', 'absent'].map((name) => [`get /secrets n/${name}`, unrelated]),
    ...['get /secrets m/volume', 'get /secrets m/controller', 'get /configmaps n/volume'].map((text) => [text, unrelated]),
    ['get /secrets n/', 'No Object name found'],
    ['update /secrets n/volume', 'can only read resources of this type'],
    ['list /secrets /volume', 'can only read namespaced object of this type'],
    ['get /secrets/x n/volume', 'cannot read subresource'],
    ['list /persistentvolumes /pv', 'can only get individual resources of this type'],
    ['get /persistentvolumes/status /pv', 'cannot get subresource'],
    ['get /persistentvolumes /free', unrelated],
    ['get /persistentvolumeclaims/status n/claim', 'can only get/update/patch this type'],
    ['get resource.k8s.io/resourceclaims n/t', unrelated],
    ['create /serviceaccounts n/p1-account', 'can only create token subresource of serviceaccount'],
    ['get /serviceaccounts n/p2-account', unrelated],
    ['get /serviceaccounts /p1-account', 'can only read namespaced object of this type'],
    ['list /serviceaccounts n/p1-account', 'can only create tokens for individual service accounts'],
    ['create /serviceaccounts/token n/p2-account', unrelated],
    ['list coordination.k8s.io/leases', 'can only get, create, update, patch, or delete a node lease'],
    ['get coordination.k8s.io/leases n/one', 'can only access leases in the "kube-node-lease" system namespace'],
    ['get coordination.k8s.io/leases kube-node-lease/two', 'can only access node lease with the same name as the requesting node'],
    ['watch storage.k8s.io/csinodes', 'can only get, create, update, patch, or delete a CSINode'],
    ['get storage.k8s.io/csinodes/x /one', 'cannot authorize CSINode subresources'],
    ['get storage.k8s.io/csinodes /two', 'can only access CSINode with the same name as the requesting node'],
    ['get resource.k8s.io/resourceslices/x /slice', 'cannot authorize ResourceSlice subresources'],
    ['get resource.k8s.io/resourceslices /other', unrelated],
    [
      'list resource.k8s.io/resourceslices / spec.nodeName=two',
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    [
      'approve resource.k8s.io/resourceslices /slice',
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    ],
    ['list /nodes', "node 'one' cannot read all nodes, only its own Node object"],
    ['get /nodes /two', "node 'one' cannot read 'two', only its own Node object"],
    ['delete /nodes /one', ''],
    ['get /nodes/status /one', ''],
    ['get /nodes/proxy /one', ''],
    ['get /pods n/p2', unrelated],
    ['list /pods / spec.nodeName!=one', 'can only list/watch pods with spec.nodeName field selector'],
    ['list /pods / ,=,x', 'can only list/watch pods with spec.nodeName field selector'],
    ['patch /pods n/p1', ''],
    ['create /pods/binding n/p1', ''],
    ['create /services n/x', ''],
  ])('has no opinion about %s', (request, reason) =>
    expect(authorizer.authorize(attributesOf(request))).toEqual({ decision: 'no-opinion', reason }),
  );

  test.each([
    ['jane', ['system:nodes'], ''],
    ['system:node:one', ['system:masters'], ''],
    ['system:node:', ['system:nodes'], 'unknown node for user "system:node:"'],
  ])('has no opinion about the user %s in %j', (name, groups, reason) => {
    const user = { name, uid: '', groups, extra: {} };
    const attributes = { ...attributesOf('get /pods n/p1'), user };
    expect(authorizer.authorize(attributes)).toEqual({ decision: 'no-opinion', reason });
  });
});

describe('the graph of nodes', () => {
  const secret = { resource: 'secrets', namespace: 'n', name: 'volume' } as const;

  test('forgets what a pod referred to with the last pod that does', () => {
    const graph = graphOfTwoNodes();
    graph.setPod(pod('p4', 'one', { volumes: [{ name: 'v', secret: { secretName: 'volume' } }] }));
    graph.deletePod('n', 'p1');
    expect(graph.relates('one', secret)).toBe(true);
    expect(graph.relates('one', { ...secret, name: 'pull' })).toBe(false);
    graph.deletePod('n', 'p4');
    expect(graph.relates('one', secret)).toBe(false);
    expect(graph.relates('two', secret)).toBe(true);
  });

  test('follows a pod that was deleted and made anew on another node', () => {
    const graph = graphOfTwoNodes();
    graph.setPod(pod('p1', 'two'));
    expect(graph.relates('one', { ...secret, name: 'pull' })).toBe(false);
    expect(graph.relates('two', { resource: 'serviceaccounts', namespace: 'n', name: 'p1-account' })).toBe(true);
  });

  test('learns the claim that was made from a template', () => {
    const graph = graphOfTwoNodes();
    const claim = { resource: 'resourceclaims', namespace: 'n', name: 'made' } as const;
    const withTemplate = pod('p1', 'one', { resourceClaims: [{ name: 's', resourceClaimTemplateName: 't' }] });
    graph.setPod({ ...withTemplate, status: { resourceClaimStatuses: [{ name: 's', resourceClaimName: 'made' }] } });
    expect(graph.relates('one', claim)).toBe(true);
  });

  test('forgets volumes, attachments and slices', () => {
    const graph = graphOfTwoNodes();
    graph.deletePersistentVolume('pv');
    graph.setNode({ resource: 'volumeattachments', namespace: '', name: 'attachment' }, undefined);
    graph.setNode({ resource: 'resourceslices', namespace: '', name: 'slice' }, 'two');
    expect(graph.relates('one', { ...secret, name: 'of-claim' })).toBe(false);
    expect(graph.relates('one', { resource: 'persistentvolumes', namespace: '', name: 'pv' })).toBe(false);
    expect(graph.relates('one', { resource: 'volumeattachments', namespace: '', name: 'attachment' })).toBe(false);
    expect(graph.relates('one', { resource: 'resourceslices', namespace: '', name: 'slice' })).toBe(false);
  });
});
