import type { Field } from './field.ts';
import { dnsSubdomain, regexError } from './name-formats.ts';

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegExp = new RegExp(`^${httpPath}$`);

/**
 * Checks that a value is a domain and a path: `acme.io/foo`. (apimachinery pkg/util/validation, IsDomainPrefixedPath)
 */
export function validateDomainPrefixedPath(value: string, field: Field): void {
  if (value === '') {
    field.required();
    return;
  }
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    field.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  const [host, path] = [value.slice(0, slash), value.slice(slash + 1)];
  for (const error of dnsSubdomain(host)) field.invalid(host, error);
  if (!httpPathRegExp.test(path)) field.invalid(path, regexError('Invalid path', httpPath));
}
