import { humanDuration } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';

/** (pkg/apis/certificates/validation) */
export function validateCertificateSigningRequest(request: Part, field: Field): void {
  const { usages = [], signerName = '', expirationSeconds, request: body } = request.spec ?? {};
  const at = field.child('spec');
  if (!body) at.child('request').invalid(null, 'PEM block type must be CERTIFICATE REQUEST');
  if (usages.length === 0) at.child('usages').required();
  if (signerName === '') at.child('signerName').required();
  else if (!/^[^/]+\/[^/]+$/.test(signerName)) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    at.child('signerName').invalid(signerName, detail);
  }
  if (expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    at.child('expirationSeconds').invalid(expirationSeconds, detail);
  }
}

export const requestDuration = ({ spec }: KubeObject): string =>
  spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);

/** As `Approved,Issued`. */
export function requestCondition({ status }: KubeObject): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }: Part) => type === wanted) ?? false;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
