import { dns1035Label, dnsLabel, dnsSubdomain, labelKey, labelValue } from '../../machinery/validation/name-formats.ts';
import { declare, global, type Library, member } from '../checker/declarations.ts';
import { listOf, optionalOf, stringType, structType } from '../types/type.ts';
import { parseFormatted } from '../values/json-formats.ts';
import { ValueList } from '../values/list.ts';
import { isError, none, Optional, type Value } from '../values/value.ts';
import { requestUriProblem } from './urls.ts';

export const formatType = structType('kubernetes.NamedFormat');

/** A named format of strings. */
export class FormatValue {
  readonly tag = 'opaque';
  readonly type = formatType;
  readonly name: string;
  /** The length of the format's pattern, for the cost. */
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

/** Checks a prefix of a generated name, which may end in a dash. */
const ofPrefix = (check: (text: string) => string[]) => (text: string) => check(text.replace(/-$/, 'a'));

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

function parseable(format: string, message: string): (text: string) => string[] {
  return (text) => {
    const value = parseFormatted(format, text);
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
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, dnsSubdomain)],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, dns1035Label)],
  ['qualifiedName', new FormatValue('QualifiedName', 60, labelKey)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, ofPrefix(dnsLabel))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, ofPrefix(dnsSubdomain))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, ofPrefix(dns1035Label))],
  ['labelValue', new FormatValue('LabelValue', 40, labelValue)],
  ['uri', new FormatValue('URI', 1103, uri)],
  ['uuid', new FormatValue('uuid', 70, (text) => (uuid.test(text) ? [] : ['does not match the UUID format']))],
  ['byte', new FormatValue('byte', 84, parseable('byte', 'invalid base64'))],
  ['date', new FormatValue('date', dateTimePatternLength, parseable('date', 'invalid date'))],
  ['datetime', new FormatValue('datetime', dateTimePatternLength, parseable('date-time', 'invalid datetime'))],
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
    ...formats.map(([name, format]) => declare(`format.${name}`, [global(`format.${name}`, [], formatType, () => format)])),
  ],
};
