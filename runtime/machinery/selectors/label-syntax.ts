/** The rules of label keys and values, in upstream's words. (apimachinery pkg/api/validate/content) */
const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxName = 63;
const maxSubdomain = 253;

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');
const tooLong = (max: number): string => `must be no more than ${max} bytes`;

function mismatch(rule: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const ends = 'must start and end with an alphanumeric character';
const nameRule = mismatch(
  `must consist of alphanumeric characters, '-', '_' or '.', and ${ends}`,
  name,
  'MyName',
  'my.name',
  '123-abc',
);
const valueRule = mismatch(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ${ends}`,
  `(${name})?`,
  'MyValue',
  'my_value',
  '12345',
);
const subdomainRule = mismatch(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and ${ends}`,
  subdomain,
  'example.com',
);

/** What is wrong with `prefix/name`, the form of label and annotation keys; empty when nothing is. */
export function labelKeyErrors(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const last = parts[parts.length - 1];
  if (parts.length === 2) {
    if (parts[0] === '') errors.push('prefix part must be non-empty');
    else {
      if (byteLength(parts[0]) > maxSubdomain) errors.push(`prefix part ${tooLong(maxSubdomain)}`);
      if (!subdomainPattern.test(parts[0])) errors.push(`prefix part ${subdomainRule}`);
    }
  }
  if (last === '') errors.push('name part must be non-empty');
  else if (byteLength(last) > maxName) errors.push(`name part ${tooLong(maxName)}`);
  if (!namePattern.test(last)) errors.push(`name part ${nameRule}`);
  return errors;
}

/** What is wrong with a label's value; empty when nothing is. */
export function labelValueErrors(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > maxName) errors.push(tooLong(maxName));
  if (!valuePattern.test(value)) errors.push(valueRule);
  return errors;
}
