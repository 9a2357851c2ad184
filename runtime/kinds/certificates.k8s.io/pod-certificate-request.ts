import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { quote } from '../../machinery/go/quote.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatLabels } from '../printers.ts';
import { validatePodCertificateRequest, validatePodCertificateRequestUpdate } from './pod-certificate-request-validation.ts';
import { validatePodCertificateRequestStatus } from './pod-certificate-status.ts';
import { isAuthorizedForSignerName } from './signer-authorization.ts';

type PodCertificateRequest = Unvalidated<certificates.PodCertificateRequest>;

const finalConditions: readonly (string | undefined)[] = ['Issued', 'Denied', 'Failed'];

/** Returns the type of the first final condition that is true, or `Pending`. */
export function podCertificateState({ status }: PodCertificateRequest): string {
  const final = status?.conditions?.find((condition) => {
    return finalConditions.includes(condition.type) && condition.status === 'True';
  });
  return final?.type ?? 'Pending';
}

export const podCertificateAnnotations = ({ spec }: PodCertificateRequest): string => formatLabels(spec?.unverifiedUserAnnotations);

/** A writer of the status needs permission to sign. (pkg/registry/certificates/podcertificaterequest) */
export function newPodCertificateRequestStrategy(authorizer: Authorizer): RESTStrategy {
  /** Status writes without permission, until their validation. */
  const notPermitted = new WeakSet<KubeObject>();
  return {
    async prepareForUpdate(request: PodCertificateRequest & KubeObject, old: PodCertificateRequest, { part, user }) {
      if (part !== 'status' || equalPruned(request.status, old.status)) return;
      const permitted = await isAuthorizedForSignerName(authorizer, user, 'sign', old.spec?.signerName ?? '');
      if (!permitted) notPermitted.add(request);
    },
    validateCreate(request: PodCertificateRequest, errors) {
      validatePodCertificateRequest(request.spec ?? {}, Field.at(FieldPath.of('spec'), errors));
    },
    validateUpdate(request: PodCertificateRequest & KubeObject, old: PodCertificateRequest, errors, context) {
      const root = Field.at(FieldPath.root, errors);
      if (context.part !== 'status') {
        validatePodCertificateRequestUpdate(request.spec ?? {}, old.spec ?? {}, root.child('spec'));
        return;
      }
      if (errors.length === 0) validatePodCertificateRequestStatus(request, old, context.now, root);
      if (errors.length > 0 || !notPermitted.has(request)) return;
      const { signerName = '' } = old.spec ?? {};
      const detail = `User ${quote(context.user.name)} is not permitted to "sign" for signer ${quote(signerName)}`;
      root.child('spec', 'signerName').forbidden(detail);
    },
  };
}
