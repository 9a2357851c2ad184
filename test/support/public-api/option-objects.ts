import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/* The option objects of the package's exports, from their declarations. */

const root = join(import.meta.dirname, '../../..');

/** The possible values of an option. */
export interface PublicType {
  /** The results of `typeof`; `list` for arrays. */
  readonly forms: ReadonlySet<string>;
  /** All allowed texts, if they are known. */
  readonly texts: readonly string[];
  readonly objects: readonly PublicObject[];
  readonly items: PublicType | undefined;
  /** The type of the values in objects with any keys. */
  readonly values: PublicType | undefined;
}

export interface PublicObject {
  readonly name: string;
  readonly members: ReadonlyMap<string, PublicType>;
}

/** One step from an export to a function. */
export type Step = { readonly property: string } | { readonly call: readonly Parameter[] };

export interface Parameter {
  readonly name: string;
  readonly type: PublicType;
}

/** A function with options. */
export interface PublicCall {
  /** The class or interface and the function: `RunningServer.settled(options)`. */
  readonly name: string;
  /** The steps to the function. The first is the name of an export. */
  readonly steps: readonly Step[];
  readonly parameters: readonly Parameter[];
  /** The index of the options among the parameters. */
  readonly at: number;
  readonly isClass: boolean;
}

/** Types that look like options but are data with other checks, or objects that only this package makes. */
const data: ReadonlySet<string> = new Set([
  'Catalog',
  'Snapshot',
  'ObjectLike',
  'FieldError',
  'FieldPath',
  'ObjectMeta',
  'KubeObject',
  // the caller provides the cell's function, the server its budget
  'RowBudget',
]);

/** Returns the files of package.json's named exports. The other exports are for generated code. */
export function exportedFiles(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const files = Object.entries(exports).flatMap(([name, target]) => {
    if (name.includes('*') || name.startsWith('./runtime/') || name === './package.json') return [];
    const built = JSON.stringify(target).match(/dist\/[^"]*?\.js/)?.[0] ?? '';
    return [built.replace(/^dist\//, '').replace(/\.js$/, '.ts')];
  });
  // other releases have the same classes, and the source of Jest's entry is CommonJS
  return files
    .filter((file) => !/generated\/v1\.(?!35)/.test(file))
    .map((file) => (file === 'runtime/frameworks/jest.ts' ? 'runtime/frameworks/jest.cts' : file));
}

/** Returns every function with options, once. */
export function publicCalls(files: readonly string[]): PublicCall[] {
  const text = readFileSync(join(root, 'tsconfig.json'), 'utf8');
  const { options } = ts.parseJsonConfigFileContent(JSON.parse(text), ts.sys, root);
  const paths = files.map((file) => join(root, file));
  const program = ts.createProgram(paths, { ...options, noEmit: true, skipLibCheck: true });
  return new Walk(program.getTypeChecker()).of(paths.map((path) => program.getSourceFile(path) as ts.SourceFile));
}

class Walk {
  readonly #checker: ts.TypeChecker;
  readonly #seen = new Set<ts.Type>();
  readonly #queue: { readonly type: ts.Type; readonly steps: readonly Step[]; readonly name: string }[] = [];
  readonly #calls = new Map<string, PublicCall>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(files: readonly ts.SourceFile[]): PublicCall[] {
    for (const file of files) {
      for (const exported of this.#exportsOf(file)) {
        const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
        const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported;
        if ((symbol.flags & ts.SymbolFlags.Value) === 0) continue;
        this.#meet(this.#checker.getTypeOfSymbol(symbol), [{ property: exported.name }], exported.name);
      }
    }
    // the queue grows, so a type is first reached on its shortest path
    for (const { type, steps, name } of this.#queue) this.#visit(type, steps, name);
    return [...this.#calls.values()];
  }

  #exportsOf(file: ts.SourceFile): ts.Symbol[] {
    const symbol = this.#checker.getSymbolAtLocation(file);
    return symbol === undefined ? [] : this.#checker.getExportsOfModule(symbol);
  }

  #meet(type: ts.Type, steps: readonly Step[], name: string): void {
    this.#queue.push({ type, steps, name });
  }

  #visit(type: ts.Type, steps: readonly Step[], name: string): void {
    if (type.isUnionOrIntersection()) {
      for (const one of type.types) this.#meet(one, steps, name);
      return;
    }
    for (const argument of this.#promised(type)) this.#meet(argument, steps, name);
    if (this.#seen.has(type) || !isOwn(type) || isSchemaType(type) || data.has(nameOf(type))) return;
    this.#seen.add(type);
    for (const signature of type.getCallSignatures()) this.#visitSignature(signature, steps, name, false);
    for (const signature of type.getConstructSignatures()) this.#visitSignature(signature, steps, name, true);
    for (const property of type.getProperties()) {
      if (!isPublic(property)) continue;
      const owner = ownerOf(property) ?? name;
      const further = [...steps, { property: property.name }];
      this.#meet(this.#checker.getTypeOfSymbol(property), further, `${owner}.${property.name}`);
    }
  }

  /** Returns the types of a promise's values. */
  #promised(type: ts.Type): readonly ts.Type[] {
    return type.symbol?.name === 'Promise' ? this.#checker.getTypeArguments(type as ts.TypeReference) : [];
  }

  #visitSignature(signature: ts.Signature, steps: readonly Step[], name: string, isClass: boolean): void {
    const parameters = signature.getParameters().map((parameter) => ({
      name: parameter.name,
      type: this.#describe(this.#checker.getTypeOfSymbol(parameter), []),
    }));
    for (const [at, parameter] of parameters.entries()) {
      if (parameter.type.objects.length === 0) continue;
      const key = `${name}(${parameter.name})`;
      if (!this.#calls.has(key)) this.#calls.set(key, { name: key, steps, parameters, at, isClass });
    }
    this.#meet(signature.getReturnType(), [...steps, { call: parameters }], `${name}()`);
  }

  #describe(type: ts.Type, outer: readonly ts.Type[]): PublicType {
    const forms = new Set<string>();
    const texts: string[] = [];
    const objects: PublicObject[] = [];
    let items: PublicType | undefined;
    let values: PublicType | undefined;
    for (const one of type.isUnion() ? type.types : [type]) {
      const form = formOf(one);
      if (form === 'undefined') continue;
      forms.add(form);
      if (one.isStringLiteral()) texts.push(one.value);
      if (form === 'string' && !one.isStringLiteral()) texts.length = 0;
      if (form !== 'object' || outer.includes(one)) continue;
      const index = this.#checker.getIndexInfoOfType(one, ts.IndexKind.String);
      if (one.getCallSignatures().length > 0) {
        forms.delete('object');
        forms.add('function');
      } else if (this.#checker.isArrayLikeType(one)) {
        forms.delete('object');
        forms.add('list');
        items = this.#describe(this.#checker.getTypeArguments(one as ts.TypeReference)[0], [...outer, one]);
      } else if (index !== undefined) values = this.#describe(index.type, [...outer, one]);
      else if (isOwn(one) && !isSchemaType(one) && !data.has(nameOf(one)) && !isClassInstance(one)) {
        objects.push(this.#describeObject(one, [...outer, one]));
      }
    }
    return { forms, texts, objects, items, values };
  }

  #describeObject(type: ts.Type, outer: readonly ts.Type[]): PublicObject {
    const members = type.getProperties().map((property): [string, PublicType] => {
      return [property.name, this.#describe(this.#checker.getTypeOfSymbol(property), outer)];
    });
    return { name: nameOf(type), members: new Map(members) };
  }
}

function formOf(type: ts.Type): string {
  const { flags } = type;
  if (flags & ts.TypeFlags.Undefined || flags & ts.TypeFlags.Void) return 'undefined';
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.Never) return 'never';
  if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return 'object';
  return 'any';
}

const nameOf = (type: ts.Type): string => (type.aliasSymbol ?? type.symbol)?.name ?? '';
const declarationOf = (type: ts.Type): ts.Declaration | undefined => type.symbol?.declarations?.[0];

function isOwn(type: ts.Type): boolean {
  const file = declarationOf(type)?.getSourceFile().fileName;
  return file?.startsWith(`${root}/`) === true && !file.includes('/node_modules/');
}

/** Reports whether a type is an API object, which is data. */
function isSchemaType(type: ts.Type): boolean {
  const file = declarationOf(type)?.getSourceFile().fileName ?? '';
  return file.includes('/generated/') && file.endsWith('/types.ts');
}

const isClassInstance = (type: ts.Type): boolean => {
  const declaration = declarationOf(type);
  return declaration !== undefined && ts.isClassDeclaration(declaration);
};

function isPublic({ name, declarations }: ts.Symbol): boolean {
  if (name.startsWith('#') || name === 'prototype') return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (declarations ?? []).every((declaration) => (ts.getCombinedModifierFlags(declaration) & hidden) === 0);
}

/** Returns the class or interface that declares a member. */
function ownerOf({ declarations }: ts.Symbol): string | undefined {
  const parent = declarations?.[0]?.parent;
  if (parent === undefined || !(ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent))) return undefined;
  return parent.name?.text;
}
