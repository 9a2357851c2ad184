import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { quote } from '../../machinery/go/quote.ts';
import { parseFieldSelector } from '../../machinery/selectors/field-selector.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../authorizer.ts';
import type { Graph } from './graph.ts';
import { nodeIdentity } from './node-identifier.ts';
import type { ObjectReference } from './object-reference.ts';

const allow: AuthorizerDecision = { decision: 'allow', reason: '' };

/** The namespace of the leases that kubelets renew. */
const nodeLeaseNamespace = 'kube-node-lease';

/**
 * Authorizes kubelets, the users `system:node:<name>` in the group system:nodes. They may read only the objects that
 * the graph relates to their node. `rules` decides about resources that are not divided between nodes.
 *
 * @param rules reports whether the rules of the cluster role system:node allow a request
 * @param features the feature gates of the server
 * @see kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go
 */
export function nodeAuthorizer(graph: Graph, rules: (attributes: AuthorizerAttributes) => boolean, features: NodeFeatures): Authorizer {
  return {
    authorize(attributes) {
      const node = nodeIdentity(attributes.user);
      if (node === undefined) return noOpinion('');
      if (node === '') return noOpinion(`unknown node for user ${quote(attributes.user.name)}`);
      const divided = attributes.isResourceRequest ? dividedResources.get(`${attributes.group}/${attributes.resource}`) : undefined;
      if (divided !== undefined) return divided({ node, attributes, graph, features });
      return rules(attributes) ? allow : noOpinion('');
    },
    rulesFor: (user) => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: false,
      ...(nodeIdentity(user) === undefined
        ? {}
        : { incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' }),
    }),
  };
}

const noOpinion = (reason: string): AuthorizerDecision => ({ decision: 'no-opinion', reason });

/** The gates that decide which service accounts a node may get. */
type NodeFeatures = Pick<FeatureGates, 'KubeletServiceAccountTokenForCredentialProviders' | 'PodCertificateRequest'>;

interface NodeRequest {
  readonly node: string;
  readonly attributes: AuthorizerAttributes;
  readonly graph: Graph;
  readonly features: NodeFeatures;
}

/** The resources that are divided between nodes, as `group/resource`. */
const dividedResources: ReadonlyMap<string, (request: NodeRequest) => AuthorizerDecision> = new Map([
  ['/secrets', (request) => authorizeRead(request, 'secrets')],
  ['/configmaps', (request) => authorizeRead(request, 'configmaps')],
  [
    '/persistentvolumeclaims',
    (request) =>
      request.attributes.subresource === 'status'
        ? authorizeStatusUpdate(request, 'persistentvolumeclaims')
        : authorizeGet(request, 'persistentvolumeclaims'),
  ],
  ['/persistentvolumes', (request) => authorizeGet(request, 'persistentvolumes')],
  ['resource.k8s.io/resourceclaims', (request) => authorizeGet(request, 'resourceclaims')],
  ['storage.k8s.io/volumeattachments', (request) => authorizeGet(request, 'volumeattachments')],
  ['/serviceaccounts', authorizeServiceAccount],
  ['coordination.k8s.io/leases', authorizeLease],
  ['storage.k8s.io/csinodes', authorizeCSINode],
  ['resource.k8s.io/resourceslices', authorizeResourceSlice],
  ['/nodes', authorizeNode],
  ['/pods', authorizePod],
  ['certificates.k8s.io/podcertificaterequests', authorizePodCertificateRequest],
]);

function authorizeRelated({ node, attributes, graph }: NodeRequest, resource: ObjectReference['resource']) {
  const { namespace, name } = attributes;
  if (name === '') return noOpinion('No Object name found');
  if (graph.relates(node, { resource, namespace, name })) return allow;
  return noOpinion(`no relationship found between node '${node}' and this object`);
}

/**
 * Authorizes reading one object in a namespace. A list or a watch of one object has the name from its field selector.
 */
function authorizeRead(request: NodeRequest, resource: ObjectReference['resource']): AuthorizerDecision {
  const { verb, subresource, namespace } = request.attributes;
  if (!['get', 'list', 'watch'].includes(verb)) return noOpinion('can only read resources of this type');
  if (subresource !== '') return noOpinion('cannot read subresource');
  if (namespace === '') return noOpinion('can only read namespaced object of this type');
  return authorizeRelated(request, resource);
}

function authorizeGet(request: NodeRequest, resource: ObjectReference['resource']): AuthorizerDecision {
  const { verb, subresource } = request.attributes;
  if (verb !== 'get') return noOpinion('can only get individual resources of this type');
  if (subresource !== '') return noOpinion('cannot get subresource');
  return authorizeRelated(request, resource);
}

function authorizeStatusUpdate(request: NodeRequest, resource: ObjectReference['resource']): AuthorizerDecision {
  const { verb } = request.attributes;
  if (verb !== 'update' && verb !== 'patch') return noOpinion('can only get/update/patch this type');
  return authorizeRelated(request, resource);
}

/** Authorizes reading the accounts of a node's pods, for credential providers and pod certificates, and creating their tokens. */
function authorizeServiceAccount(request: NodeRequest): AuthorizerDecision {
  const { attributes, features } = request;
  if (attributes.verb !== 'get' || attributes.subresource !== '') return authorizeCreateToken(request);
  const isEnabled = features.KubeletServiceAccountTokenForCredentialProviders || features.PodCertificateRequest;
  return isEnabled ? authorizeRead(request, 'serviceaccounts') : noOpinion('not allowed to get service accounts');
}

function authorizeCreateToken(request: NodeRequest): AuthorizerDecision {
  const { verb, name, subresource } = request.attributes;
  if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts');
  if (subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
  return authorizeRelated(request, 'serviceaccounts');
}

const verbsOfOwnObject: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];

/**
 * Reports whether a node writes its own or a new object. The name of a new object is checked later, by NodeRestriction.
 */
const isOwnOrNew = ({ node, attributes: { verb, name } }: NodeRequest): boolean => verb === 'create' || name === node;

function authorizeLease(request: NodeRequest): AuthorizerDecision {
  const { verb, namespace } = request.attributes;
  if (!verbsOfOwnObject.includes(verb)) return noOpinion('can only get, create, update, patch, or delete a node lease');
  if (namespace !== nodeLeaseNamespace) {
    return noOpinion(`can only access leases in the "${nodeLeaseNamespace}" system namespace`);
  }
  return isOwnOrNew(request) ? allow : noOpinion('can only access node lease with the same name as the requesting node');
}

function authorizeCSINode(request: NodeRequest): AuthorizerDecision {
  const { verb, subresource } = request.attributes;
  if (!verbsOfOwnObject.includes(verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  return isOwnOrNew(request) ? allow : noOpinion('can only access CSINode with the same name as the requesting node');
}

function authorizeResourceSlice(request: NodeRequest): AuthorizerDecision {
  const { verb, subresource } = request.attributes;
  if (subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  switch (verb) {
    case 'create':
      return allow;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return authorizeRelated(request, 'resourceslices');
    case 'list':
    case 'watch':
    case 'deletecollection':
      if (selectsOwn(request, 'spec.nodeName')) return allow;
      return noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return noOpinion(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

/** Authorizes the requests for certificates of a node's pods. NodeRestriction checks which pods a new request names. */
function authorizePodCertificateRequest(request: NodeRequest): AuthorizerDecision {
  const { verb, subresource } = request.attributes;
  if (!request.features.PodCertificateRequest) return noOpinion('');
  if (subresource !== '') return noOpinion('nodes may not access the status subresource of PodCertificateRequests');
  switch (verb) {
    case 'create':
      return allow;
    case 'get':
      return authorizeRelated(request, 'podcertificaterequests');
    case 'list':
    case 'watch':
      if (selectsOwn(request, 'spec.nodeName')) return allow;
      return noOpinion('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return noOpinion(`nodes may not ${verb} podcertificaterequests`);
  }
}

/** Authorizes access to Nodes without the graph, since a kubelet may read its own Node before it exists. */
function authorizeNode({ node, attributes: { verb, subresource, name } }: NodeRequest): AuthorizerDecision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : noOpinion('');
  if (subresource !== '') return noOpinion('');
  switch (verb) {
    case 'create':
    case 'update':
    case 'patch':
      return allow;
    case 'get':
    case 'list':
    case 'watch':
      if (name === node) return allow;
      return noOpinion(
        name === ''
          ? `node '${node}' cannot read all nodes, only its own Node object`
          : `node '${node}' cannot read '${name}', only its own Node object`,
      );
    default:
      return noOpinion('');
  }
}

/** Allowed writes. NodeRestriction checks that the written objects belong to the node. */
const writesOfPods: ReadonlySet<string> = new Set(['create ', 'delete ', 'update status', 'patch status', 'create eviction']);

function authorizePod(request: NodeRequest): AuthorizerDecision {
  const { verb, subresource, name } = request.attributes;
  if (writesOfPods.has(`${verb} ${subresource}`)) return allow;
  if (subresource !== '') return noOpinion('');
  if (verb === 'get') return authorizeRelated(request, 'pods');
  if (verb !== 'list' && verb !== 'watch') return noOpinion('');
  if (selectsOwn(request, 'spec.nodeName')) return allow;
  if (name !== '') return authorizeRelated(request, 'pods');
  return noOpinion('can only list/watch pods with spec.nodeName field selector');
}

/** Reports whether the field selector requires that a field equals the name of the node. */
function selectsOwn({ node, attributes: { fieldSelector = '' } }: NodeRequest, field: string): boolean {
  if (fieldSelector === '') return false;
  try {
    return parseFieldSelector(fieldSelector).requiresExactMatch(field) === node;
  } catch {
    // an invalid selector requires nothing (AuthorizerAttributes.GetFieldSelector)
    return false;
  }
}
