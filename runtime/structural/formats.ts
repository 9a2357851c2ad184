import { quote } from '../machinery/go/quote.ts';
import { maxReportedErrors } from '../machinery/limits.ts';
import {
  byteLength,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  dnsSubdomainInBytes,
  labelKey,
  labelValue,
  regexError,
  subdomain,
  tooManyCharacters,
} from '../machinery/validation/name-formats.ts';
import { cidr, ip } from './formats-ip.ts';
import { openApiFormat } from './open-api-formats.ts';

/**
 * A format of strings or ports, by its name in overlays, schemas and strategies. Returns upstream's messages; none for
 * a valid value. (apimachinery pkg/util/validation/validation.go, pkg/api/validate/{strfmt.go,content})
 */
export type Format = (value: string) => string[];

const labelUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const subdomainUnderscore = `${labelUnderscore}(\\.${labelUnderscore})*`;
const wildcard = `\\*\\.${subdomain}`;
const envVar = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configKey = '[-._a-zA-Z0-9]+';
const cIdentifierPattern = '[A-Za-z_][A-Za-z0-9_]*';

const whole = (pattern: string, flags = ''): RegExp => new RegExp(`^(?:${pattern})$`, flags);

const subdomainCaselessRegExp = whole(subdomain, 'i');
const subdomainUnderscoreRegExp = whole(subdomainUnderscore);
const wildcardRegExp = whole(wildcard);
const envVarRegExp = whole(envVar);
const configKeyRegExp = whole(configKey);
const cIdentifierRegExp = whole(cIdentifierPattern);

export function dnsSubdomainWithUnderscore(value: string): string[] {
  const errors = tooManyCharacters(value, 253);
  if (subdomainUnderscoreRegExp.test(value)) return errors;
  const what =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, regexError(what, subdomainUnderscore, 'example.com')];
}

export function dnsSubdomainCaseless(value: string): string[] {
  const errors = byteLength(value) > 253 ? ['must be no more than 253 bytes'] : [];
  if (subdomainCaselessRegExp.test(value)) return errors;
  const what =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, regexError(what, subdomain, 'Example.com')];
}

/** `*.example.com` */
export function wildcardSubdomain(value: string): string[] {
  const errors = tooManyCharacters(value, 253);
  if (wildcardRegExp.test(value)) return errors;
  const what =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...errors, regexError(what, wildcard, '*.example.com')];
}

/** A port number from 1 to 65535. */
export function port(value: string | number): string[] {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/** An IANA service name: at most 15 characters of `a-z0-9-`, with at least one letter. */
export function portName(value: string): string[] {
  const errors = tooManyCharacters(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(value)) errors.push('must not begin or end with a hyphen');
  return errors;
}

export function percent(value: string): string[] {
  if (/^[0-9]+%$/.test(value)) return [];
  return [regexError("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];
}

export function httpHeaderName(value: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return [];
  const what = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [regexError(what, '[-A-Za-z0-9]+', 'X-Header-Name')];
}

/** The strict format. Since 1.34, environment variables use `relaxedEnvVarName`. */
export function envVarName(value: string): string[] {
  const what =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const errors = envVarRegExp.test(value) ? [] : [regexError(what, envVar, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1')];
  return [...errors, ...changesDirectory(value)];
}

export function relaxedEnvVarName(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** A key of a ConfigMap or Secret. */
export function configMapKey(value: string): string[] {
  const errors = tooManyCharacters(value, 253);
  if (!configKeyRegExp.test(value)) {
    const what = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(regexError(what, configKey, 'key.name', 'KEY_NAME', 'key-name'));
  }
  return [...errors, ...changesDirectory(value)];
}

function changesDirectory(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

export function cIdentifier(value: string): string[] {
  if (cIdentifierRegExp.test(value)) return [];
  const what = "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [regexError(what, cIdentifierPattern, 'my_name', 'MY_NAME', 'MyName')];
}

/** One segment of a URL path, such as the name of an RBAC object. (apimachinery pkg/api/validation/path) */
export function pathSegment(value: string): string[] {
  return value === '.' || value === '..' ? [`may not be '${value}'`] : pathSegmentPrefix(value);
}

/** The start of a path segment. (IsValidPathSegmentPrefix) */
export const pathSegmentPrefix = (value: string): string[] =>
  ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);

export function uuid(value: string): string[] {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? [] : ['must be a lowercase UUID in 8-4-4-4-12 format'];
}

/** An integer in canonical form. */
export function decimalInteger(value: string): string[] {
  if (value === '') return ['must be non-empty'];
  return /^(?:0|-?[1-9][0-9]*)$/.test(value) ? [] : ['must be a valid decimal integer in canonical form'];
}

/** A resource name that quotas count: `example.com/gpu`. */
export function extendedResourceName(value: string): string[] {
  const errors: string[] = [];
  if (!value.includes('/')) {
    errors.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  } else if (value.includes('kubernetes.io/')) errors.push('must not have "kubernetes.io/" domain');
  if (value.startsWith('requests.')) errors.push('must not have "requests." prefix');
  return [...errors, ...labelKey(`requests.${value}`)];
}

/** Subdomains separated by slashes. */
export function resourcePoolName(value: string): string[] {
  const errors = byteLength(value) > 253 ? ['may not be more than 253 bytes'] : [];
  for (const [index, part] of value.split('/').entries()) {
    if (errors.length >= maxReportedErrors) break;
    if (part === '') errors.push(`segment ${index}: must not be empty`);
    else errors.push(...dnsSubdomainInBytes(part).map((message) => `segment ${index}: ${message}`));
  }
  return errors;
}

/** A domain and an identifier: `example.com/model`. */
export function resourceQualifiedName(value: string): string[] {
  const [first = '', second, ...more] = value.split('/');
  const errors: string[] = [];
  if (second !== undefined && more.length === 0) {
    if (first === '') errors.push('prefix must not be empty');
    else errors.push(...dnsSubdomainInBytes(first).map((message) => `prefix: ${message}`));
    if (second === '') errors.push('name must not be empty');
  }
  const name = second ?? first;
  if (more.length === 0 && (name !== '' || second === undefined)) {
    if (byteLength(name) > 32) errors.push('may not be more than 32 bytes');
    errors.push(...cIdentifier(name));
  }
  return errors;
}

export function resourceFullyQualifiedName(value: string): string[] {
  const errors = resourceQualifiedName(value);
  if (!value.includes('/')) errors.push('a fully qualified name must be a domain and a name separated by a slash');
  return errors;
}

/** All formats by name. Unknown names are not checked. */
export const formats: Readonly<Record<string, Format | undefined>> = Object.assign(Object.create(null), {
  'c-identifier': cIdentifier,
  cidr,
  'config-map-key': configMapKey,
  'decimal-integer': decimalInteger,
  'dns-label': dnsLabel,
  'dns-subdomain': dnsSubdomain,
  'dns-subdomain-caseless': dnsSubdomainCaseless,
  'dns-subdomain-underscore': dnsSubdomainWithUnderscore,
  'dns1035-label': dns1035Label,
  'env-var-name': envVarName,
  'extended-resource-name': extendedResourceName,
  'http-header-name': httpHeaderName,
  ip,
  'k8s-extended-resource-name': extendedResourceName,
  'k8s-label-key': labelKey,
  'k8s-label-value': labelValue,
  'k8s-long-name': dnsSubdomain,
  'k8s-long-name-caseless': dnsSubdomainCaseless,
  'k8s-resource-fully-qualified-name': resourceFullyQualifiedName,
  'k8s-resource-pool-name': resourcePoolName,
  'k8s-short-name': dnsLabel,
  'k8s-uuid': uuid,
  'label-key': labelKey,
  'label-value': labelValue,
  'path-segment': pathSegment,
  percent,
  port,
  'port-name': portName,
  'relaxed-env-var-name': relaxedEnvVarName,
  'wildcard-subdomain': wildcardSubdomain,
});

/** The OpenAPI formats of built-in kinds. Their messages are those of schemas. */
const openApiNames: ReadonlySet<string> = new Set(['date', 'hostname', 'ipv4', 'ipv6', 'uuid']);

/** Returns the messages for a value at `field`. */
export function formatErrors(name: string, value: string, field: string): string[] {
  const openApi = openApiNames.has(name) ? openApiFormat(name) : undefined;
  if (openApi) return openApi(value) ? [] : [`${field} in body must be of type ${name}: ${quote(value)}`];
  return formats[name]?.(value) ?? [];
}
