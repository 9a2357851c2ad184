import type { TokenRequest } from '../../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { AuthorizerDecision } from '../../../authorization/authorizer.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { newForbidden } from '../../errors.ts';
import { findAudience } from './audiences.ts';
import type { RuleContext } from './listers.ts';

type Spec = Unvalidated<TokenRequest>['spec'];

/**
 * Lets a node get tokens of service accounts only for its pods, and only for audiences that a volume of the pod needs
 * or that the node is authorized to request.
 */
export function admitServiceAccountToken(node: string, attributes: Attributes, context: RuleContext): void | Promise<void> {
  const { operation, subresource, object } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return;
  const { spec } = object as Unvalidated<TokenRequest>;
  const pod = boundPod(spec, attributes, context);
  if (pod.spec?.nodeName !== node) {
    throw newForbidden(attributes, 'node requested token bound to a pod scheduled on a different node');
  }
  return requireAudience(spec, pod, [attributes, context]);
}

function boundPod(spec: Spec, attributes: Attributes, { listers }: RuleContext): Pod {
  const { apiVersion, kind, name, uid } = spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) {
    throw newForbidden(attributes, 'node requested token not bound to a pod');
  }
  if (!uid) throw newForbidden(attributes, 'node requested token with a pod binding without a uid');
  const pod = listers.pod(attributes.namespace, name);
  if (uid === pod.metadata.uid) return pod;
  const message = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw newForbidden(attributes, message);
}

/** (validateNodeServiceAccountAudience) */
function requireAudience(
  spec: Spec,
  pod: Pod,
  [attributes, { listers, authorizer }]: readonly [Attributes, RuleContext],
): void | Promise<void> {
  const audiences = spec?.audiences ?? [];
  if (audiences.length > 1) throw newForbidden(attributes, 'node may only request 0 or 1 audiences');
  const [audience = ''] = audiences;
  const search = findAudience(pod, audience, listers);
  if (search.error !== undefined) {
    throw newForbidden(attributes, `error validating audience ${quote(audience)}: ${search.error}`);
  }
  if (search.found) return;
  const { user, namespace, name } = attributes;
  const conclude = ({ decision, evaluationError }: AuthorizerDecision): void => {
    if (decision === 'allow') return;
    const start = `audience ${quote(audience)} not found in pod spec volume, `;
    const reason =
      evaluationError === undefined
        ? `${user.name} is not authorized to request tokens for this audience`
        : `error authorizing ${user.name} to request tokens for this audience: ${evaluationError}`;
    throw newForbidden(attributes, start + reason);
  };
  const decision = authorizer.authorize({
    user,
    namespace,
    name,
    verb: 'request-serviceaccounts-token-audience',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
  });
  return decision instanceof Promise ? decision.then(conclude) : conclude(decision);
}
