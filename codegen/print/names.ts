import { text } from './literal.ts';
import { codecSymbols } from './symbols.ts';

const keywords =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined';
const frame =
  'context end entry errors field input item key length object old output path reader struct tag target types value writer';

/** Names that JavaScript, the frame of a generated function or the imports of a codec have taken. */
const taken: ReadonlySet<string> = new Set([...keywords.split(' '), ...frame.split(' '), ...codecSymbols]);

/** Names of functions beside it and of namespaces: `decodePod`, `metav1`. */
const looksTaken = /^(?:encode|decode)[A-Z]|[a-z]v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** A variable for a field: its name, where that can be one. */
export function variableName(json: string): string {
  const name = json.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  if (!/^[A-Za-z_$]/.test(name)) return `field${name}`;
  return taken.has(name) || looksTaken.test(name) ? `${name}Field` : name;
}

/** `object.name`, or `object['x-kubernetes-map-type']`. */
export function member(object: string, json: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(json) && json !== '__proto__'
    ? `${object}.${json}`
    : `${object}[${text(json)}]`;
}

/** Names that every object has already. */
export const isInherited = (json: string): boolean => json in Object.prototype;
