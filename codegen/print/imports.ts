import { posix } from 'node:path';
import type { ApiModel, TypeModel } from '../model/model.ts';
import { folderAlias } from '../model/names.ts';
import { functionNames } from './function-names.ts';
import { namedFunctions, type RuntimeSymbol, runtimeModule, symbolFile } from './symbols.ts';

/** Collects what one generated file uses from elsewhere, and prints its imports. */
export class Imports {
  readonly #model: ApiModel;
  readonly #folder: string;
  readonly #runtime: string;
  readonly #names = new Map<string, Set<string>>();
  readonly #namespaces = new Map<string, string>();
  #usesTypes = false;

  /**
   * @param folder of the generated file, as `core/v1`
   * @param runtime path from there to the runtime's folder, or the package's name
   */
  constructor(model: ApiModel, folder: string, runtime: string) {
    this.#model = model;
    this.#folder = folder;
    this.#runtime = runtime;
  }

  /** A name of the runtime. */
  use(name: RuntimeSymbol): string {
    const { file, type } = symbolFile(name);
    this.#add(runtimeModule(this.#runtime, file), type ? `type ${name}` : name);
    return name;
  }

  /** A function that an overlay names; under another name where the file has a generated function of this one. */
  named(kind: keyof typeof namedFunctions, name: string): string {
    const here = this.#model.groupVersions.find(({ folder }) => folder === this.#folder);
    const taken = here?.types.some((type) => Object.values(functionNames(type)).includes(name)) ?? false;
    this.#add(runtimeModule(this.#runtime, namedFunctions[kind]), taken ? `${name} as ${name}ByName` : name);
    return taken ? `${name}ByName` : name;
  }

  /** The TypeScript type of a type of this folder. */
  type(type: TypeModel): string {
    this.#usesTypes = true;
    return `types.${type.name}`;
  }

  /** A function written for `type` into `file`, which may be another group-version's. */
  generated(type: TypeModel, file: string, name: string): string {
    if (type.folder === this.#folder) return name;
    const alias = folderAlias(type.folder, this.#model);
    this.#namespaces.set(alias, siblingPath(this.#folder, type.folder, file));
    return `${alias}.${name}`;
  }

  #add(from: string, name: string): void {
    const names = this.#names.get(from) ?? new Set();
    this.#names.set(from, names.add(name));
  }

  toString(): string {
    const lines = [...this.#namespaces].map(([alias, from]) => [from, `import * as ${alias} from '${from}';\n`]);
    if (this.#usesTypes) lines.push(['./types.ts', `import type * as types from './types.ts';\n`]);
    for (const [from, names] of this.#names) lines.push([from, importLine(from, [...names])]);
    return lines
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, line]) => line)
      .join('');
  }
}

function importLine(from: string, names: string[]): string {
  const bare = (name: string) => name.replace(/^type /, '');
  const sorted = names.sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  const onlyTypes = sorted.every((name) => name.startsWith('type '));
  const list = (onlyTypes ? sorted.map(bare) : sorted).join(', ');
  const line = `import ${onlyTypes ? 'type ' : ''}{ ${list} } from '${from}';\n`;
  return line.length <= 121 ? line : line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}');
}

/** Import path from one group-version's folder to a file of another: `../../meta/v1/types.ts`. */
export function siblingPath(fromFolder: string, toFolder: string, file: string): string {
  const path = posix.relative(fromFolder, posix.join(toFolder, file));
  return path.startsWith('.') ? path : `./${path}`;
}
