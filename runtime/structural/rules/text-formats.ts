import { Buffer } from 'node:buffer';

/**
 * Formats of strings, each as the list of what is wrong with a value, in upstream's words.
 * (apimachinery pkg/util/validation/validation.go)
 */
export type Format = (value: string) => string[];

export const maxLengthText = (length: number): string => `must be no more than ${length} characters`;
export const rangeText = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

function regexText(message: string, regex: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  return examples.length === 0
    ? `${message} (regex used for validation is '${regex}')`
    : `${message} (e.g. ${shown}, regex used for validation is '${regex}')`;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const labelRegex = new RegExp(`^${label}$`);
const subdomainRegex = new RegExp(`^${subdomain}$`);
const bytes = (value: string): number => Buffer.byteLength(value, 'utf8');
const tooLong = (value: string, length: number): string[] => (bytes(value) > length ? [maxLengthText(length)] : []);

/** RFC 1123 label: a container's or volume's name. */
export const dnsLabel: Format = (value) => {
  const errors = tooLong(value, 63);
  if (labelRegex.test(value)) return errors;
  if (subdomainRegex.test(value)) return [...errors, 'must not contain dots'];
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, regexText(message, label, 'my-name', '123-abc')];
};

const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** RFC 1123 subdomain: the name of most objects. */
export const dnsSubdomain: Format = (value) => {
  const errors = tooLong(value, 253);
  return subdomainRegex.test(value) ? errors : [...errors, regexText(subdomainMessage, subdomain, 'example.com')];
};

const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomain = `${underscoreLabel}(\\.${underscoreLabel})*`;
const underscoreSubdomainRegex = new RegExp(`^${underscoreSubdomain}$`);

export const dnsSubdomainWithUnderscore: Format = (value) => {
  const errors = tooLong(value, 253);
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  if (underscoreSubdomainRegex.test(value)) return errors;
  return [...errors, regexText(message, underscoreSubdomain, 'example.com')];
};

const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const dns1035Regex = new RegExp(`^${dns1035}$`);

export const dns1035Label: Format = (value) => {
  const errors = tooLong(value, 63);
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return dns1035Regex.test(value) ? errors : [...errors, regexText(message, dns1035, 'my-name', 'abc-123')];
};

const wildcard = `\\*\\.${subdomain}`;
const wildcardRegex = new RegExp(`^${wildcard}$`);

export const wildcardSubdomain: Format = (value) => {
  const errors = tooLong(value, 253);
  const message =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return wildcardRegex.test(value) ? errors : [...errors, regexText(message, wildcard, '*.example.com')];
};

const labelKeyPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelKeyRegex = new RegExp(`^${labelKeyPart}$`);
const labelKeyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelKeyText = regexText(labelKeyMessage, labelKeyPart, 'MyName', 'my.name', '123-abc');

/** Label keys, resource names, finalizers: `[prefix/]name`. */
export const qualifiedName: Format = (value) => {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') errors.push('prefix part must be non-empty');
    else errors.push(...dnsSubdomain(prefix).map((message) => `prefix part ${message}`));
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (bytes(name) > 63) errors.push(`name part ${maxLengthText(63)}`);
  if (!labelKeyRegex.test(name)) errors.push(`name part ${labelKeyText}`);
  return errors;
};

const labelValuePattern = `(${labelKeyPart})?`;
const labelValueRegex = new RegExp(`^${labelValuePattern}$`);

export const labelValue: Format = (value) => {
  const errors = tooLong(value, 63);
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  if (labelValueRegex.test(value)) return errors;
  return [...errors, regexText(message, labelValuePattern, 'MyValue', 'my_value', '12345')];
};

export const portNumber = (value: number): string[] => (value >= 1 && value <= 65535 ? [] : [rangeText(1, 65535)]);

/** IANA service names, at most 15 characters. */
export const portName: Format = (value) => [
  ...tooLong(value, 15),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
  ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(value) ? ['must not begin or end with a hyphen'] : []),
];

export const percent: Format = (value) =>
  /^[0-9]+%$/.test(value)
    ? []
    : [regexText("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];

export const httpHeaderName: Format = (value) =>
  /^[-A-Za-z0-9]+$/.test(value)
    ? []
    : [
        regexText(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          '[-A-Za-z0-9]+',
          'X-Header-Name',
        ),
      ];

/** Printable ASCII without `=`. */
export const environmentName: Format = (value) => [
  ...(value === '' ? ['environment variable name must be non-empty'] : []),
  ...(/^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
];

const configKey = '[-._a-zA-Z0-9]+';
const configKeyRegex = new RegExp(`^${configKey}$`);

/** Keys of config maps and secrets: file names. */
export const configMapKey: Format = (value) => [
  ...tooLong(value, 253),
  ...(configKeyRegex.test(value)
    ? []
    : [
        regexText(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          configKey,
          'key.name',
          'KEY_NAME',
          'key-name',
        ),
      ]),
  ...(value === '.'
    ? ["must not be '.'"]
    : value === '..'
      ? ["must not be '..'"]
      : value.startsWith('..')
        ? ["must not start with '..'"]
        : []),
];

/** Users and groups of Linux. */
export const userId = (value: number | bigint): string[] =>
  value >= 0 && value <= 2147483647 ? [] : [rangeText(0, 2147483647)];
