import type { PodCertificateRequest } from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

const finalConditions: readonly (string | undefined)[] = ['Issued', 'Denied', 'Failed'];

/** The first final condition that is true. */
export function podCertificateState({ status }: Unvalidated<PodCertificateRequest>): string {
  const final = status?.conditions?.find((condition) => {
    return finalConditions.includes(condition.type) && condition.status === 'True';
  });
  return final?.type ?? 'Pending';
}
