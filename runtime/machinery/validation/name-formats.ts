/*
 * The formats of names and labels. Each function returns upstream's messages, and none for a valid value.
 * (apimachinery pkg/util/validation/validation.go, pkg/api/validate/content)
 */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
export const subdomain = `${label}(\\.${label})*`;
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKeyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

const labelRegExp = whole(label);
const subdomainRegExp = whole(subdomain);
const dns1035RegExp = whole(dns1035);
const labelKeyRegExp = whole(labelKeyName);
const labelValueRegExp = whole(`(${labelKeyName})?`);

/** Returns `<what> (e.g. 'a', or 'b', regex used for validation is '...')`, with upstream's commas. */
export function regexError(what: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return examples.length === 0
    ? `${what} (regex used for validation is '${pattern}')`
    : `${what} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** Returns the number of bytes in UTF-8: upstream's measure of length. */
export const byteLength = (value: string): number => Buffer.byteLength(value);

/** Skips counting for most texts: a UTF-16 unit takes at most three bytes. */
const isLonger = (value: string, bytes: number): boolean => value.length * 3 > bytes && byteLength(value) > bytes;

/** Returns the message of upstream's older rules, which says characters but counts bytes. */
export const tooManyCharacters = (value: string, max: number): string[] =>
  isLonger(value, max) ? [`must be no more than ${max} characters`] : [];

/** A DNS label: `my-name`. At most 63 characters. */
export function dnsLabel(value: string): string[] {
  const errors = tooManyCharacters(value, 63);
  if (labelRegExp.test(value)) return errors;
  if (subdomainRegExp.test(value)) return [...errors, 'must not contain dots'];
  const what =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, regexError(what, label, 'my-name', '123-abc')];
}

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** DNS labels separated by dots: `example.com`. At most 253 characters. */
export function dnsSubdomain(value: string): string[] {
  const errors = tooManyCharacters(value, 253);
  return subdomainRegExp.test(value) ? errors : [...errors, regexError(subdomainText, subdomain, 'example.com')];
}

/** A DNS label that starts with a letter. */
export function dns1035Label(value: string): string[] {
  const errors = tooManyCharacters(value, 63);
  if (dns1035RegExp.test(value)) return errors;
  const what =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, regexError(what, dns1035, 'my-name', 'abc-123')];
}

const nameRule = regexError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKeyName,
  'MyName',
  'my.name',
  '123-abc',
);

/** A key of labels, annotations or selectors: `name`, `example.com/Name`. (upstream: qualified name) */
export function labelKey(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash >= 0 && value.includes('/', slash + 1)) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  if (slash === 0) errors.push('prefix part must be non-empty');
  else if (slash > 0) {
    for (const message of dnsSubdomainInBytes(value.slice(0, slash))) errors.push(`prefix part ${message}`);
  }
  const name = slash < 0 ? value : value.slice(slash + 1);
  if (name === '') errors.push('name part must be non-empty');
  else if (isLonger(name, 63)) errors.push('name part must be no more than 63 bytes');
  if (!labelKeyRegExp.test(name)) errors.push(`name part ${nameRule}`);
  return errors;
}

/** dnsSubdomain with the messages of upstream's newer rules. */
export function dnsSubdomainInBytes(value: string): string[] {
  const errors = isLonger(value, 253) ? ['must be no more than 253 bytes'] : [];
  return subdomainRegExp.test(value) ? errors : [...errors, regexError(subdomainText, subdomain, 'example.com')];
}

const valueRule = regexError(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${labelKeyName})?`,
  'MyValue',
  'my_value',
  '12345',
);

export function labelValue(value: string): string[] {
  const errors = isLonger(value, 63) ? ['must be no more than 63 bytes'] : [];
  if (!labelValueRegExp.test(value)) errors.push(valueRule);
  return errors;
}
