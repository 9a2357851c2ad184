import { humanDuration } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';

/** (pkg/apis/certificates/validation) */
export function validateCertificateSigningRequest(request: Part, path: FieldPath, errors: Errors): void {
  const { usages = [], signerName = '', expirationSeconds, request: body } = request.spec ?? {};
  const at = path.child('spec');
  if (!body) errors.push(invalid(at.child('request'), null, 'PEM block type must be CERTIFICATE REQUEST'));
  if (usages.length === 0) errors.push(required(at.child('usages')));
  if (signerName === '') errors.push(required(at.child('signerName')));
  else if (!/^[^/]+\/[^/]+$/.test(signerName)) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(invalid(at.child('signerName'), signerName, detail));
  }
  if (expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid(at.child('expirationSeconds'), expirationSeconds, detail));
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
