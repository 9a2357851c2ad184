import { isObject } from './json.ts';

/** Facts that only the Go sources have, not OpenAPI or .proto: Go package -> type name -> facts. */
export type FieldFacts = Readonly<Record<string, Readonly<Record<string, TypeFacts>>>>;

export type TypeFacts = StructFacts | AliasFacts;

export interface StructFacts {
  readonly kind: 'struct';
  /** The fields in the order of the Go struct. */
  readonly fields: readonly FactsField[];
  readonly markers?: readonly string[];
}

/** A type defined by another type, such as `type RestartPolicy string`, and its constants. */
export interface AliasFacts {
  readonly kind: 'alias';
  readonly of: string;
  readonly values?: readonly string[];
  readonly markers?: readonly string[];
}

export interface FactsField {
  /** The JSON name; `-` for fields that are not in JSON, empty for inlined structs. */
  readonly json: string;
  readonly go: string;
  /** The type in Go source, with the file's import names or with import paths: `[]metav1.Condition`. */
  readonly type: string;
  readonly pointer?: boolean;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly inline?: boolean;
  readonly proto?: number;
  readonly wire?: 'varint' | 'fixed64' | 'fixed32' | 'bytes';
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly markers?: readonly string[];
}

/** Returns the first place where facts are malformed, and the problem there. */
export function factsFault(value: object): { readonly pointer: readonly string[]; readonly message: string } | undefined {
  for (const [goPackage, types] of Object.entries(value)) {
    if (!isObject(types)) return { pointer: [goPackage], message: 'is not an object with the facts of types' };
    for (const [name, facts] of Object.entries(types)) {
      if (!isTypeFacts(facts)) return { pointer: [goPackage, name], message: 'has not the facts of a struct or alias' };
    }
  }
  return undefined;
}

function isTypeFacts(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, of, fields, values = [], markers = [] } = value;
  if (!isStrings(values) || !isStrings(markers)) return false;
  if (kind === 'alias') return typeof of === 'string';
  return kind === 'struct' && Array.isArray(fields) && fields.every(isField);
}

const isField = (value: unknown): boolean =>
  isObject(value) && [value.json, value.go, value.type].every((text) => typeof text === 'string') && isStrings(value.markers ?? []);

const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** A Go type, named by its package. */
export interface GoName {
  readonly package: string;
  readonly name: string;
}

const machinery = 'k8s.io/apimachinery/pkg';
const wellKnown: Readonly<Record<string, string>> = {
  metav1: `${machinery}/apis/meta/v1`,
  runtime: `${machinery}/runtime`,
  resource: `${machinery}/api/resource`,
  intstr: `${machinery}/util/intstr`,
  corev1: 'k8s.io/api/core/v1',
  apiv1: 'k8s.io/api/core/v1',
};

/** Looks types up in the facts, and resolves Go's import names and aliases. */
export class GoTypes {
  readonly #facts: FieldFacts;

  constructor(facts: FieldFacts) {
    this.#facts = facts;
  }

  get packages(): readonly string[] {
    return Object.keys(this.#facts);
  }

  namesIn(goPackage: string): readonly string[] {
    return Object.keys(this.#facts[goPackage] ?? {});
  }

  facts({ package: goPackage, name }: GoName): TypeFacts | undefined {
    const types = this.#facts[goPackage];
    return types && Object.hasOwn(types, name) ? types[name] : undefined;
  }

  /** Resolves a name through aliases to its struct, and to the package whose imports the struct's fields use. */
  struct(name: GoName): { readonly name: GoName; readonly facts: StructFacts } | undefined {
    const facts = this.facts(name);
    if (facts?.kind !== 'alias') return facts && { name, facts };
    const target = this.resolve(facts.of, name.package);
    return target && this.struct(target);
  }

  /**
   * Returns the declaration that a type expression in a package refers to; undefined for builtins and packages without
   * facts.
   */
  resolve(text: string, inPackage: string): GoName | undefined {
    const { qualifier, name } = splitGoName(text);
    return packagesNamed(qualifier, inPackage)
      .map((goPackage) => ({ package: goPackage, name }))
      .find((candidate) => this.facts(candidate) !== undefined);
  }

  /** Returns the values of a +enum type, or of a +enum type in a list or map; undefined for all other types. */
  enumOf(text: string, inPackage: string): readonly string[] | undefined {
    const name = this.resolve(text.replace(/^(\[\]|\*|map\[[^\]]+\])+/, ''), inPackage);
    const facts = name && this.facts(name);
    if (!name || facts?.kind !== 'alias') return undefined;
    const closed = facts.markers?.some((marker) => marker === '+enum' || marker === '+k8s:enum');
    return closed && facts.values && facts.values.length > 0 ? facts.values : this.enumOf(facts.of, name.package);
  }

  /** Returns the list type behind an alias: `[]string` for ExtraValue. */
  listAlias(name: GoName): string | undefined {
    const facts = this.facts(name);
    return facts?.kind === 'alias' && facts.of.startsWith('[]') ? facts.of : undefined;
  }
}

/** `metav1.Time` -> metav1, Time. A name of the same package has no qualifier. */
function splitGoName(text: string): { readonly qualifier: string; readonly name: string } {
  const dot = text.lastIndexOf('.');
  return { qualifier: text.slice(0, Math.max(dot, 0)), name: text.slice(dot + 1) };
}

/**
 * Returns the packages that a qualifier may mean: the package with this import path, or the one that Kubernetes'
 * sources import by this name. A plain `v1` may be v1 of the same group, of core or of meta.
 */
export function packagesNamed(qualifier: string, inPackage: string): readonly string[] {
  if (qualifier === '') return [inPackage];
  if (qualifier.includes('/')) return [qualifier];
  const known = wellKnown[qualifier];
  if (known) return [known];
  const ofGroup = /^([a-z]+)(v\d+(?:(?:alpha|beta)\d+)?)$/.exec(qualifier);
  if (ofGroup) return [`k8s.io/api/${ofGroup[1]}/${ofGroup[2]}`];
  if (/^v\d/.test(qualifier)) {
    const sibling = inPackage.replace(/[^/]+$/, qualifier);
    return [sibling, `k8s.io/api/core/${qualifier}`, `${machinery}/apis/meta/${qualifier}`];
  }
  return [];
}

/**
 * Prints a type as Go's reflection does, with the last part of its package: `[]metav1.Condition` -> `[]v1.Condition`.
 */
export function printGoType(text: string, inPackage: string): string {
  if (text.startsWith('*')) return printGoType(text.slice(1), inPackage);
  if (text.startsWith('[]')) return text === '[]byte' ? '[]uint8' : `[]${printGoType(text.slice(2), inPackage)}`;
  const [, key, value] = /^map\[([^\]]+)\](.+)$/.exec(text) ?? [];
  if (key !== undefined && value !== undefined) return `map[${printGoType(key, inPackage)}]${printGoType(value, inPackage)}`;
  if (text === 'interface{}' || text === 'any') return 'interface {}';
  const { qualifier, name } = splitGoName(text);
  if (qualifier === '') return /^[a-z]/.test(text) ? text : `${lastPart(inPackage)}.${text}`;
  const version = /v\d+(?:(?:alpha|beta)\d+)?$/.exec(qualifier)?.[0];
  return `${version ?? lastPart(qualifier)}.${name}`;
}

export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns the prefix of a Go package's components, as kube-openapi names them: `k8s.io/api/core/v1` ->
 * `io.k8s.api.core.v1`.
 */
export function componentPrefix(goPackage: string): string {
  const [domain = '', ...rest] = goPackage.split('/');
  return [...domain.split('.').reverse(), ...rest].join('.');
}
