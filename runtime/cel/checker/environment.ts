import type { Ast } from '../syntax/ast.ts';
import type { Issues } from '../syntax/errors.ts';
import { type Macro, standardMacros } from '../syntax/macros.ts';
import { parse } from '../syntax/parser.ts';
import { type DeclType, declaredAt, fieldType, namedType, ownNames } from '../types/decl-type.ts';
import * as types from '../types/type.ts';
import { dynType, listOf, mapOf, type Type, typeOf } from '../types/type.ts';
import { TypeValue, type Value } from '../values/value.ts';
import type { FunctionDecl, Library, StructType } from './declarations.ts';

/** A variable, constant or type name that expressions may use. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** Set for constants and type names. */
  readonly value?: Value;
}

const nameableTypes: readonly Type[] = [
  types.boolType,
  types.bytesType,
  types.doubleType,
  types.durationType,
  types.intType,
  types.nullType,
  types.stringType,
  types.timestampType,
  types.uintType,
  types.plainTypeType,
];

interface Declarations {
  readonly container: string;
  readonly macros: readonly Macro[];
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly objects: ReadonlyMap<string, DeclType>;
  readonly quotedFields: boolean;
  readonly structs: readonly StructResolver[];
}

type StructResolver = (name: string) => StructType | undefined;

/** The declarations that expressions are checked and compiled against. Immutable: extend() returns another one. */
export class Environment {
  readonly container: string;
  readonly macros: readonly Macro[];
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly #variables: ReadonlyMap<string, Variable>;
  /** The declared types of variables, by type name. */
  readonly #objects: ReadonlyMap<string, DeclType>;
  readonly #quotedFields: boolean;
  readonly #structs: readonly StructResolver[];

  private constructor(declarations: Declarations) {
    this.container = declarations.container;
    this.macros = declarations.macros;
    this.functions = declarations.functions;
    this.#variables = declarations.variables;
    this.#objects = declarations.objects;
    this.#quotedFields = declarations.quotedFields;
    this.#structs = declarations.structs;
  }

  /** Creates an environment with only the given libraries. The standard library is not implied. */
  static of(libraries: readonly Library[], container = ''): Environment {
    const variables = new Map<string, Variable>();
    const name = (type: Type, shown = type): void => {
      variables.set(type.name, { name: type.name, type: typeOf(shown), value: new TypeValue(type) });
    };
    for (const type of nameableTypes) name(type);
    name(types.plainListType, listOf(dynType));
    name(types.plainMapType, mapOf(dynType, dynType));
    const functions = new Map<string, FunctionDecl>();
    const macros: Macro[] = [...standardMacros];
    for (const library of libraries) {
      for (const type of library.types ?? []) name(type);
      for (const [constant, { type, value }] of library.constants ?? []) {
        variables.set(constant, { name: constant, type, value });
      }
      for (const declared of library.functions ?? []) {
        const existing = functions.get(declared.name);
        functions.set(declared.name, existing ? merge(existing, declared) : declared);
      }
      macros.push(...(library.macros ?? []));
    }
    const quotedFields = libraries.some((library) => library.quotedFields);
    const structs = libraries.flatMap((library) => library.structs ?? []);
    return new Environment({ container, macros, functions, variables, objects: new Map(), quotedFields, structs });
  }

  /** Returns an environment with more variables. A DeclType also declares the types of the objects in it. */
  extend(added: Readonly<Record<string, Type | DeclType>>, container = this.container): Environment {
    const variables = new Map(this.#variables);
    const objects = new Map(this.#objects);
    for (const [name, declared] of Object.entries(added)) {
      if ('minSerializedSize' in declared) {
        const typeName = `${name}Type`;
        objects.set(typeName, declared);
        // only types that are declared by hand have names, because schemas may be large
        if (declared.name !== undefined) for (const [own, type] of ownNames(declared)) objects.set(own, type);
        variables.set(name, { name, type: namedType(declared, typeName) });
      } else variables.set(name, { name, type: declared });
    }
    const { macros, functions } = this;
    const [quotedFields, structs] = [this.#quotedFields, this.#structs];
    return new Environment({ container, macros, functions, variables, objects, quotedFields, structs });
  }

  parse(text: string): { ast?: Ast; issues: Issues } {
    return parse(text, this.macros, this.#quotedFields);
  }

  /** Returns the qualified names that a name may resolve to in the container, innermost first. */
  candidates(name: string): string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const candidates: string[] = [];
    for (let prefix = this.container; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))) {
      candidates.push(`${prefix}.${name}`);
    }
    candidates.push(name);
    return candidates;
  }

  /** Returns the variable of a name, which may also be the name of a type. */
  variable(name: string): Variable | undefined {
    const found = this.#variables.get(name);
    if (found !== undefined || this.#structs.length === 0) return found;
    const struct = this.struct(name);
    return struct && { name, type: typeOf(struct.type), value: new TypeValue(struct.type) };
  }

  /** @param name the qualified name */
  struct(name: string): StructType | undefined {
    for (const resolve of this.#structs) {
      const found = resolve(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function(name: string): FunctionDecl | undefined {
    for (const candidate of this.candidates(name)) {
      const found = this.functions.get(candidate);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns undefined if there is no such type or field. */
  field(typeName: string, field: string): Type | undefined {
    const struct = this.struct(typeName);
    if (struct !== undefined) return struct.field(field);
    const [variable = '', ...steps] = typeName.split('.');
    const root = this.#objects.get(variable);
    const declared = this.#objects.get(typeName) ?? (root && declaredAt(root, steps));
    return declared && fieldType(declared, typeName, field);
  }
}

function merge(existing: FunctionDecl, added: FunctionDecl): FunctionDecl {
  const ids = new Set(added.overloads.map(({ id }) => id));
  // a singleton implementation covers only the overloads it was declared with
  const overloadsOf = (declared: FunctionDecl): FunctionDecl['overloads'] =>
    declared.overloads.map((overload) => (overload.call || !declared.call ? overload : { ...overload, call: declared.call }));
  return {
    name: existing.name,
    overloads: [...overloadsOf(existing).filter(({ id }) => !ids.has(id)), ...overloadsOf(added)],
  };
}
