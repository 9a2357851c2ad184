import { nodeIdentity } from '../../../authorization/node/node-identifier.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import { newForbidden } from '../../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { admitCertificateSigningRequest } from './certificate-requests.ts';
import { NodeListers, type RuleContext } from './listers.ts';
import { admitNode } from './nodes.ts';
import { admitCSINode, admitLease, admitPVCStatus, admitResourceSlice } from './own-objects.ts';
import { admitPodCertificateRequest } from './pod-certificate-requests.ts';
import { admitPod, admitPodEviction, admitPodStatus } from './pods.ts';
import { admitServiceAccountToken } from './tokens.ts';

/** Admits a write of a node. Returns a promise only if it calls an authorizer. */
type Rule = (node: string, attributes: Attributes, context: RuleContext) => void | Promise<void>;

const rules: Readonly<Record<string, Rule | undefined>> = {
  '/pods': admitPods,
  '/nodes': admitNode,
  '/persistentvolumeclaims': admitClaims,
  '/serviceaccounts': admitServiceAccountToken,
  'coordination.k8s.io/leases': admitLease,
  'storage.k8s.io/csinodes': admitCSINode,
  'resource.k8s.io/resourceslices': admitResourceSlice,
  'certificates.k8s.io/certificatesigningrequests': admitCertificateSigningRequest,
  'certificates.k8s.io/podcertificaterequests': admitPodCertificateRequest,
};

const ruleOf = ({ group, resource }: ResourceDefinition): Rule | undefined => rules[`${group}/${resource}`];

/** (plugin/pkg/admission/noderestriction) */
export const newNodeRestriction: PluginFactory = (context) => new NodeRestriction(context);

/** Restricts a kubelet to its own node's objects and the pods there. */
class NodeRestriction implements Plugin {
  readonly #context: PluginContext;
  #listers: NodeListers | undefined;

  constructor(context: PluginContext) {
    this.#context = context;
  }

  /** A node without a name may write nothing. */
  handles(operation: Operation): boolean {
    return operation !== 'CONNECT';
  }

  async start(): Promise<void> {
    this.#listers = await NodeListers.open(this.#context.listers);
  }

  admit(attributes: Attributes): void | Promise<void> {
    const { user, definition } = attributes;
    const node = nodeIdentity(user);
    if (node === undefined) return;
    if (node === '') throw newForbidden(attributes, `could not determine node from user ${quote(user.name)}`);
    return ruleOf(definition)?.(node, attributes, {
      listers: this.#listers as NodeListers,
      authorizer: this.#context.authorizer,
    });
  }
}

function admitPods(node: string, attributes: Attributes, { listers }: RuleContext): void {
  const { subresource } = attributes;
  if (subresource === '') admitPod(node, attributes, listers);
  else if (subresource === 'status') admitPodStatus(node, attributes);
  else if (subresource === 'eviction') admitPodEviction(node, attributes, listers);
  else {
    const message = `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`;
    throw newForbidden(attributes, message);
  }
}

function admitClaims(node: string, attributes: Attributes): void {
  if (attributes.subresource !== 'status') throw newForbidden(attributes, 'may only update PVC status');
  admitPVCStatus(node, attributes);
}
