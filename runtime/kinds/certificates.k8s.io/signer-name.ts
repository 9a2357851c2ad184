import { quote } from '../../machinery/go/quote.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';

const maxDomain = 253;
/** The maximum length: a domain, `/`, and room for a namespace, `.` and a name. */
const maxSignerName = maxDomain + 1 + (253 + 63 + 1);

/** A name such as `example.com/signer`. (pkg/apis/core/validation ValidateSignerName) */
export function validateSignerName(signerName: string, field: Field): void {
  if (signerName === '') {
    field.required();
    return;
  }
  const segments = signerName.split('/');
  if (segments.length !== 2) {
    field.invalid(signerName, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  const [domain = '', path = ''] = segments;
  if (domain.length > maxDomain) field.tooLong('', maxDomain);
  const labels = domain.split('.');
  validateLabels(domain, labels, dnsLabel, field);
  if (labels.length < 2) {
    field.invalid(domain, 'should be a domain with at least two segments separated by dots');
  }
  validateLabels(path, path.split('.'), dnsSubdomain, field);
  if (signerName.length > maxSignerName) field.tooLong('', maxSignerName);
}

/**
 * Returns the maximum lifetime of a pod's certificate in seconds: a day for Kubernetes' own signers, 91 days for
 * others.
 */
export const maxExpirationSecondsOf = (signerName: string): number => (isKubernetesSignerName(signerName) ? 1 : 91) * 24 * 60 * 60;

/** (IsKubernetesSignerName) */
function isKubernetesSignerName(signerName: string): boolean {
  const [domain = ''] = signerName.split('/', 1);
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

/** Reports only the first wrong label. */
function validateLabels(segment: string, labels: readonly string[], validate: (label: string) => string[], field: Field): void {
  for (const label of labels) {
    const problems = validate(label);
    for (const problem of problems) field.invalid(segment, `validating label ${quote(label)}: ${problem}`);
    if (problems.length > 0) return;
  }
}
