import { declare, global, type Library, member } from '../check/declarations.ts';
import { listOf, optionalOf, stringType, structType } from '../types/type.ts';
import { readFormatted } from '../values/json-formats.ts';
import { ValueList } from '../values/list.ts';
import { isError, none, Optional, type Value } from '../values/value.ts';
import { requestUriProblem } from './urls.ts';

export const formatType = structType('kubernetes.NamedFormat');

/** A named check of strings. */
export class FormatValue {
  readonly tag = 'opaque';
  readonly type = formatType;
  readonly name: string;
  /** Costs count a pattern of this length. */
  readonly maxRegexSize: number;
  readonly validate: (text: string) => string[];

  constructor(name: string, maxRegexSize: number, validate: (text: string) => string[]) {
    this.name = name;
    this.maxRegexSize = maxRegexSize;
    this.validate = validate;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof FormatValue ? this.name === other.name : undefined;
  }
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const labelRegExp = new RegExp(`^${label}$`);
const subdomainRegExp = new RegExp(`^${subdomain}$`);
const dns1035RegExp = new RegExp(`^${dns1035}$`);
const qualifiedRegExp = new RegExp(`^${qualified}$`);

function explain(what: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${what} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const tooLong = (text: string, max: number, unit: string): string[] =>
  Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];

function dnsLabel(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  if (labelRegExp.test(text)) return errors;
  if (subdomainRegExp.test(text)) return [...errors, 'must not contain dots'];
  const what =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, explain(what, label, 'my-name', '123-abc')];
}

function dnsSubdomain(text: string, unit = 'characters'): string[] {
  const errors = tooLong(text, 253, unit);
  if (subdomainRegExp.test(text)) return errors;
  const what =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, explain(what, subdomain, 'example.com')];
}

function dns1035Label(text: string): string[] {
  const errors = tooLong(text, 63, 'characters');
  if (dns1035RegExp.test(text)) return errors;
  const what =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, explain(what, dns1035, 'my-name', 'abc-123')];
}

const nameCharacters =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function qualifiedName(text: string): string[] {
  const parts = text.split('/');
  const explained = explain(nameCharacters, qualified, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2) {
    return [`a valid label key ${explained} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const name = parts[parts.length - 1];
  if (parts.length === 2) {
    if (parts[0] === '') errors.push('prefix part must be non-empty');
    else errors.push(...dnsSubdomain(parts[0], 'bytes').map((message) => `prefix part ${message}`));
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) errors.push('name part must be no more than 63 bytes');
  return qualifiedRegExp.test(name) ? errors : [...errors, `name part ${explained}`];
}

function labelValue(text: string): string[] {
  const errors = tooLong(text, 63, 'bytes');
  if (text === '' || qualifiedRegExp.test(text)) return errors;
  const what =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...errors, explain(what, `(${qualified})?`, 'MyValue', 'my_value', '12345')];
}

/** Of a prefix only what stands before a generated suffix is checked: a dash at its end is no fault. */
const ofPrefix = (check: (text: string) => string[]) => (text: string) => check(text.replace(/-$/, 'a'));

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

function readable(format: string, message: string): (text: string) => string[] {
  return (text) => {
    const value = readFormatted(format, text);
    return value !== undefined && isError(value) ? [message] : [];
  };
}

const uri = (text: string): string[] => {
  const problem = requestUriProblem(text);
  return problem === undefined ? [] : [problem];
};

const dateTimePatternLength = 71;

const formats: readonly [string, FormatValue][] = [
  ['dns1123Label', new FormatValue('DNS1123Label', 30, dnsLabel)],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, (text) => dnsSubdomain(text))],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, dns1035Label)],
  ['qualifiedName', new FormatValue('QualifiedName', 60, qualifiedName)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, ofPrefix(dnsLabel))],
  [
    'dns1123SubdomainPrefix',
    new FormatValue(
      'DNS1123SubdomainPrefix',
      60,
      ofPrefix((text) => dnsSubdomain(text)),
    ),
  ],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, ofPrefix(dns1035Label))],
  ['labelValue', new FormatValue('LabelValue', 40, labelValue)],
  ['uri', new FormatValue('URI', 1103, uri)],
  ['uuid', new FormatValue('uuid', 70, (text) => (uuid.test(text) ? [] : ['does not match the UUID format']))],
  ['byte', new FormatValue('byte', 84, readable('byte', 'invalid base64'))],
  ['date', new FormatValue('date', dateTimePatternLength, readable('date', 'invalid date'))],
  ['datetime', new FormatValue('datetime', dateTimePatternLength, readable('date-time', 'invalid datetime'))],
];

const named = new Map(formats);

/** Named formats. (apiserver pkg/cel/library/format.go) */
export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: [
    declare('validate', [
      member('format-validate', [formatType, stringType], optionalOf(listOf(stringType)), (format, text) => {
        const messages = (format as FormatValue).validate(text as string);
        return messages.length === 0 ? none : new Optional(new ValueList(messages));
      }),
    ]),
    declare('format.named', [
      global('format-named', [stringType], optionalOf(formatType), (name) => {
        const format = named.get(name as string);
        return format ? new Optional(format) : none;
      }),
    ]),
    ...formats.map(([name, format]) =>
      declare(`format.${name}`, [global(`format.${name}`, [], formatType, () => format)]),
    ),
  ],
};
