import {
  type AliasFacts,
  type FactsField,
  type FieldFacts,
  packagesNamed,
  type StructFacts,
  type TypeFacts,
} from '../../load/field-facts.ts';
import { StringConstants } from './constants.ts';
import type { GoField, GoFile, GoPackages, GoType } from './declarations.ts';

/** Returns the facts of the types of some packages. Structs without JSON tags, interfaces and functions have none. */
export function fieldFactsOf(packages: GoPackages): FieldFacts {
  const declared = new Map([...packages].map(([goPackage, files]) => [goPackage, namesIn(files)]));
  const constants = new StringConstants(packages);
  const facts = [...packages].map(([goPackage, files]) => [goPackage, packageFacts({ files, goPackage, declared, constants })] as const);
  return Object.fromEntries(facts.filter(([, types]) => Object.keys(types).length > 0));
}

/** Names of types by package. */
type Declared = ReadonlyMap<string, ReadonlySet<string>>;

const namesIn = (files: readonly GoFile[]): Set<string> => new Set(files.flatMap(({ types }) => types.map(({ name }) => name)));

/** Returns a marker with the value of the constant that it names: `+default=ref(Shared)` is `+default="Shared"`. */
type Marking = (marker: string) => string;

interface GoPackage {
  readonly files: readonly GoFile[];
  readonly goPackage: string;
  readonly declared: Declared;
  readonly constants: StringConstants;
}

function packageFacts({ files, goPackage, declared, constants }: GoPackage): Record<string, TypeFacts> {
  const values = constants.byType(goPackage);
  const withValue: Marking = (marker) => {
    const name = /^\+default=ref\((.+)\)$/.exec(marker)?.[1];
    const value = name === undefined ? undefined : constants.value(name, goPackage);
    return value === undefined ? marker : `+default=${JSON.stringify(value)}`;
  };
  const entries = files.flatMap(({ imports, types }) => {
    const names = new TypeNames(imports, goPackage, declared);
    return types.filter(isExported).flatMap((type): [string, TypeFacts][] => {
      const facts = factsOf(type, values.get(type.name), names, withValue);
      return facts ? [[type.name, facts]] : [];
    });
  });
  return Object.fromEntries(entries);
}

const isExported = ({ name }: GoType): boolean => /^\p{Lu}/u.test(name);

function factsOf(
  { fields, type, comment }: GoType,
  values: readonly string[] | undefined,
  names: TypeNames,
  withValue: Marking,
): StructFacts | AliasFacts | undefined {
  const markers = markersOf(comment);
  const about = markers.length > 0 ? { markers } : {};
  if (fields === undefined) {
    if (/^(interface|func|chan)\b|\bfunc\(|[{ ]/.test(type)) return undefined;
    return { kind: 'alias', of: names.written(type), ...(values ? { values } : {}), ...about };
  }
  const tagged = fields.flatMap((field) => fieldOf(field, names, withValue) ?? []);
  return tagged.length > 0 ? { kind: 'struct', fields: tagged, ...about } : undefined;
}

/** Returns the facts of a field with a JSON tag. */
function fieldOf({ name, embedded, type, tag, comment }: GoField, names: TypeNames, withValue: Marking): FactsField | undefined {
  const tags = new Map(Array.from(tag.matchAll(/([^\s":]+):"((?:[^"\\]|\\.)*)"/g), ([, key = '', value = '']) => [key, value]));
  const json = tags.get('json')?.split(',');
  if (json === undefined) return undefined;
  const [wire, number] = tags.get('protobuf')?.split(',') ?? [];
  const patchStrategy = tags.get('patchStrategy');
  const patchMergeKey = tags.get('patchMergeKey');
  const markers = markersOf(comment).map(withValue);
  return {
    json: json[0] ?? '',
    go: name,
    type: names.written(type.replace(/^\*/, '')),
    ...(type.startsWith('*') ? { pointer: true } : {}),
    ...(json.includes('omitempty', 1) ? { omitEmpty: true } : {}),
    ...(json.includes('omitzero', 1) ? { omitZero: true } : {}),
    ...(json.includes('inline', 1) || (embedded && json[0] === '') ? { inline: true } : {}),
    ...(isWire(wire) && number ? { proto: Number(number), wire } : {}),
    ...(patchStrategy ? { patchStrategy } : {}),
    ...(patchMergeKey ? { patchMergeKey } : {}),
    ...(markers.length > 0 ? { markers } : {}),
  };
}

const isWire = (text: string | undefined): text is NonNullable<FactsField['wire']> =>
  text !== undefined && ['varint', 'fixed64', 'fixed32', 'bytes'].includes(text);

/** Returns the lines of a comment that tools read, such as `+optional`, but not tables of plus signs. */
const markersOf = (comment: readonly string[]): string[] => comment.map((line) => line.trim()).filter((line) => /^\+[A-Za-z]/.test(line));

/** Spells the type names of one file as the facts of its package need them. */
class TypeNames {
  readonly #imports: ReadonlyMap<string, string>;
  readonly #goPackage: string;
  readonly #declared: Declared;

  constructor(imports: ReadonlyMap<string, string>, goPackage: string, declared: Declared) {
    this.#imports = imports;
    this.#goPackage = goPackage;
    this.#declared = declared;
  }

  /**
   * Returns the type as the file writes it if readers of the facts find the right package, else with its import path.
   */
  written(type: string): string {
    return type.replace(/\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)/g, (text, qualifier: string, name: string) => {
      const path = this.#imports.get(qualifier);
      return path === undefined || this.#found(qualifier, name) === this.#known(path, name) ? text : `${path}.${name}`;
    });
  }

  #found(qualifier: string, name: string): string | undefined {
    return packagesNamed(qualifier, this.#goPackage).find((path) => this.#known(path, name) !== undefined);
  }

  #known(path: string, name: string): string | undefined {
    return this.#declared.get(path)?.has(name) ? path : undefined;
  }
}
