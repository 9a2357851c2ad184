import { DecodeError } from '../machinery/errors/decode-error.ts';
import { quote } from '../machinery/go/quote.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import { decodeYaml } from './yaml.ts';

/** Reads a value that is not null as a Go type, like the functions of machinery/prune. */
export type Reader<T> = (value: unknown, context: PruneContext, field: string, goType?: string) => T;

/** A kind of configuration file, at each version that can be read. */
export interface ConfigurationKind<T> {
  /** The kind: `AuthorizationConfiguration`. */
  readonly kind: string;
  /** The readers of the kind, by `group/version`. */
  readonly versions: Readonly<Record<string, Reader<T>>>;
}

/**
 * Decodes a configuration file of the command, in YAML or JSON. Unknown and repeated fields are errors.
 *
 * @param kinds the allowed kinds of the file
 * @throws DecodeError in the words of upstream's codec factory, without the name of the file
 */
export function decodeConfiguration<T>(bytes: Uint8Array, ...kinds: readonly ConfigurationKind<T>[]): T {
  const duplicates: string[] = [];
  const value = decodeYaml(bytes, { duplicates });
  const members = isJsonObject(value) ? value : {};
  for (const [member, name] of [
    ['kind', 'Kind'],
    ['apiVersion', 'apiVersion'],
  ] as const) {
    if (typeof members[member] !== 'string' || members[member] === '') {
      throw new DecodeError(`Object '${name}' is missing in '${Buffer.from(bytes).toString('utf8')}'`);
    }
  }
  const known = kinds.find(({ kind, versions }) => members.kind === kind && Object.hasOwn(versions, `${members.apiVersion}`));
  const read = known?.versions[String(members.apiVersion)];
  if (read === undefined) {
    throw new DecodeError(`no kind ${quote(String(members.kind))} is registered for version ${quote(String(members.apiVersion))}`);
  }
  const context = new PruneContext({ collectUnknown: true });
  const configuration = read(value, context, '');
  const errors = [...duplicates, ...context.strictErrors];
  if (errors.length > 0) throw new DecodeError(`strict decoding error: ${errors.join(', ')}`);
  return configuration;
}

/** The reader of each field of a struct of type T. */
export type Fields<T> = { readonly [K in keyof T]-?: Reader<NonNullable<T[K]>> };

/**
 * Returns a reader of a struct. Missing and null fields are absent in the result. @param goType as
 * `v1.WebhookConfiguration`
 */
export function struct<T extends object>(goType: string, fields: Fields<T>): Reader<T> {
  const readers = Object.entries(fields) as [string, Reader<unknown>][];
  const known = new Set(readers.map(([name]) => name));
  return (value, context, field) => {
    const input = context.enter(value, field, goType);
    const output: Record<string, unknown> = {};
    for (const [name, read] of readers) {
      if (input[name] != null) output[name] = read(input[name], context, name);
    }
    context.leave(input, known, field);
    return output as T;
  };
}

/** The common fields of all configurations. */
export interface TypeMeta {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Returns a reader of a list. @param goType the type of an item: `v1.AuthorizerConfiguration` */
export function listOf<T>(goType: string, item: Reader<T>): Reader<readonly T[]> {
  return (value, context, field) => context.list(value, field, `[]${goType}`, item) ?? [];
}

/** Returns a reader of a map with string keys. @param goType the type of a value */
export function mapOf<T>(goType: string, item: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, context, field) => context.map(value, field, `map[string]${goType}`, item) ?? {};
}
