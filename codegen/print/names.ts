import type { TypeModel } from '../model/model.ts';
import { isIdentifier } from './literal.ts';
import { codecSymbols } from './symbols.ts';

/** The names of a type's generated functions and constants. Undefined names are not generated. */
export interface FunctionNames {
  readonly prune: string;
  readonly setDefaults: string;
  readonly validate: string;
  readonly validateUpdate?: string;
  readonly codec?: string;
  readonly merge: string;
  readonly schema: string;
}

export function functionNames(type: TypeModel): FunctionNames {
  const updates = type.rules.some((rule) => rule.check === 'custom' && rule.on === 'update');
  return {
    prune: `prune${type.name}`,
    setDefaults: `setDefaults${type.name}`,
    validate: `validate${type.name}`,
    ...(updates ? { validateUpdate: `validateUpdate${type.name}` } : {}),
    ...(type.message === undefined ? {} : { codec: `codec${type.name}` }),
    merge: `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}Merge`,
    schema: `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}Schema`,
  };
}

/** The reserved words of JavaScript and TypeScript that functions cannot have as names. */
export const keywords: readonly string[] =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined'.split(
    ' ',
  );
const locals =
  'context end entry errors field input item key last length object old output path reader struct tag target types value writer';

/** Names taken by JavaScript, the locals of generated functions and the imports of codecs. */
const taken: ReadonlySet<string> = new Set([...keywords, ...locals.split(' '), ...codecSymbols]);

/** Matches names of generated functions and namespaces: `decodePod`, `metav1`. */
const looksTaken = /^(?:encode|decode)[A-Z]|[a-z]v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** Returns the variable for a field: the field's name, if it is a free identifier. */
export function variableName(json: string): string {
  const name = json.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  if (!isIdentifier(name)) return `field${name}`;
  return taken.has(name) || looksTaken.test(name) ? `${name}Field` : name;
}

/** Reports whether every object inherits a member of this name. */
export const isInherited = (json: string): boolean => json in Object.prototype;
