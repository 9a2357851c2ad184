import { decodeConfiguration, listOf, struct, type TypeMeta } from '../../../codec/configuration.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { string } from '../../../machinery/prune/values.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { type LevelVersion, latest, levelError, type Mode, type Policy, parseLevel, parseVersion, versionError } from './policy.ts';

/** The complete configuration of the plugin. (pod-security-admission admission/api) */
export interface PodSecurityConfiguration {
  /** The policy of namespaces without labels. */
  readonly defaults: Policy;
  readonly exemptions: Readonly<Record<keyof Exemptions, ReadonlySet<string>>>;
}

interface Exemptions {
  readonly usernames?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly runtimeClasses?: readonly string[];
}

type Defaults = { readonly [field in `${Mode}${'' | '-version'}`]?: string };

interface ConfigurationFile extends TypeMeta {
  readonly defaults?: Defaults;
  readonly exemptions?: Exemptions;
}

const strings = listOf('string', string);
const reader = struct<ConfigurationFile>('v1.PodSecurityConfiguration', {
  apiVersion: string,
  kind: string,
  defaults: struct<Defaults>('v1.PodSecurityDefaults', {
    enforce: string,
    'enforce-version': string,
    audit: string,
    'audit-version': string,
    warn: string,
    'warn-version': string,
  }),
  exemptions: struct<Exemptions>('v1.PodSecurityExemptions', {
    usernames: strings,
    namespaces: strings,
    runtimeClasses: strings,
  }),
});

const group = 'pod-security.admission.config.k8s.io';

/**
 * Reads a PodSecurityConfiguration. Default: everything is privileged.
 *
 * @throws Error that lists all problems (ValidatePodSecurityConfiguration)
 */
export function loadPodSecurityConfiguration(bytes: Uint8Array | undefined): PodSecurityConfiguration {
  const { defaults = {}, exemptions = {} } = bytes === undefined || bytes.length === 0 ? {} : decodeFile(bytes);
  const errors: FieldError[] = [];
  const root = Field.at(FieldPath.root, errors);
  const parse = (mode: Mode): LevelVersion => {
    const { [mode]: level = '', [`${mode}-version` as const]: version = '' } = defaults;
    const parsed = { level: parseLevel(level || 'privileged'), version: parseVersion(version || 'latest') };
    if (parsed.level === undefined) root.child('defaults', mode).invalid(level, levelError);
    if (parsed.version === undefined) root.child('defaults', `${mode}-version`).invalid(version, versionError);
    return { level: parsed.level ?? 'privileged', version: parsed.version ?? latest };
  };
  const at = root.child('exemptions');
  const { namespaces = [], runtimeClasses = [], usernames = [] } = exemptions;
  const isEmpty = (name: string): string[] => (name === '' ? ['username must not be empty'] : []);
  const configuration = {
    defaults: { enforce: parse('enforce'), audit: parse('audit'), warn: parse('warn') },
    exemptions: {
      namespaces: uniqueValid(namespaces, dnsLabel, at.child('namespaces')),
      runtimeClasses: uniqueValid(runtimeClasses, dnsSubdomain, at.child('runtimeClasses')),
      usernames: uniqueValid(usernames, isEmpty, at.child('usernames')),
    },
  };
  if (errors.length > 0) throw new Error(`PodSecurity invalid: ${aggregate(errors.map(fieldErrorMessage))}`);
  return configuration;
}

const decodeFile = (bytes: Uint8Array): ConfigurationFile =>
  decodeConfiguration(bytes, {
    kind: 'PodSecurityConfiguration',
    versions: { [`${group}/v1`]: reader, [`${group}/v1beta1`]: reader, [`${group}/v1alpha1`]: reader },
  });

function uniqueValid(names: readonly string[], problems: (name: string) => string[], field: Field): Set<string> {
  const valid = new Set<string>();
  for (const [index, name] of names.entries()) {
    const messages = problems(name);
    if (messages.length > 0) field.index(index).invalid(name, messages.join(', '));
    else if (valid.has(name)) field.index(index).duplicate(name);
    else valid.add(name);
  }
  return valid;
}
