import { readFile } from 'node:fs/promises';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { pointerOf, type SchemaProblem } from '../load/schema-errors.ts';
import { ImportError } from './source.ts';

/**
 * An error in a definition, at a field in Kubernetes' notation: `spec.versions[0].name`; "" for the whole definition.
 */
export interface DefinitionFault {
  readonly field: string;
  readonly message: string;
}

/** A CustomResourceDefinition of a file. */
export interface FoundDefinition {
  readonly value: object;
  /** Returns the fault with its file, line and JSON pointer. */
  problem(fault: DefinitionFault): SchemaProblem;
}

/**
 * Reads the definitions of a file in YAML or JSON. Skips documents of other kinds.
 *
 * @throws ImportError if the file is unreadable, malformed or without a definition
 */
export async function readDefinitions(file: string): Promise<readonly FoundDefinition[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`cannot read ${file}: ${error.code ?? error.message}`);
  });
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const [fault] = documents.flatMap(({ errors }) => errors);
  if (fault !== undefined) {
    const { line, col } = lines.linePos(Math.min(fault.pos[0], text.length));
    throw new ImportError(`${file}:${line}:${col}: ${fault.message}`);
  }
  const found = documents.flatMap((document) => {
    const value: unknown = plainValue(document, file);
    return isDefinition(value) ? { value, problem: (each: DefinitionFault) => problemIn(file, document, value, lines, each) } : [];
  });
  if (found.length === 0) throw new ImportError(`${file} has no CustomResourceDefinition`);
  return found;
}

/** Converts a YAML document to a value. @throws ImportError for aliases that expand to too much */
function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ImportError(`${file}: ${(error as Error).message}`);
  }
}

const isDefinition = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'CustomResourceDefinition';

function problemIn(
  file: string,
  document: Document,
  value: object,
  lines: LineCounter,
  { field, message }: DefinitionFault,
): SchemaProblem {
  const steps = stepsOf(value, field);
  const { line } = lines.linePos(offsetOf(document, steps));
  return { file: `${file}:${line}`, pointer: pointerOf(steps), message };
}

/**
 * Returns the keys that lead to a field, as far as they exist. In `{"spec": {"names": {}}}`, `spec.names.plural` leads
 * to `spec`, `names`. A key may contain dots: `properties.a.b` and `properties[a.b]` lead to the property `a.b`, if it
 * exists.
 */
function stepsOf(value: unknown, field: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const rest = field.replace(/^\./, '');
  const keys = Object.keys(value).sort((a, b) => b.length - a.length);
  for (const key of keys) {
    const text = [`[${key}]`, key].find((each) => rest.startsWith(each) && /^(?:$|[.[])/.test(rest.slice(each.length)));
    if (text !== undefined) return [key, ...stepsOf((value as Record<string, unknown>)[key], rest.slice(text.length))];
  }
  return [];
}

/** Returns the offset of a member's key in the text, or of the last key before it that has a position. */
function offsetOf(document: Document, steps: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of steps) {
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(target)) {
      node = target.items[Number(step)];
      offset = rangeOf(node) ?? offset;
    } else break;
  }
  return offset;
}

const rangeOf = (node: unknown): number | undefined => (node as { range?: readonly number[] } | undefined)?.range?.[0];
