import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** One import or re-export between two files, types included. Paths are relative to the root of the checkout. */
export interface Import {
  readonly file: string;
  readonly target: string;
  /** `await import(...)`: loaded when it is asked for. */
  readonly isDynamic: boolean;
  /** Nothing is loaded: only types are imported. */
  readonly isType: boolean;
}

/** Returns the TypeScript files below a folder of the checkout, relative to its root. */
export function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Returns all imports by relative paths in some folders, types included. */
export function importsOf(root: string, folders: readonly string[]): Import[] {
  return folders.flatMap((folder) => sourcesIn(root, folder)).flatMap((file) => importsOfFile(root, file));
}

const pattern = /(?:^|\n)\s*(?:import|export)\b([^'"`;]*?)from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/g;

function importsOfFile(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(pattern)].map(([, names, from, loaded]) => ({
    file,
    target: join(dirname(file), from ?? loaded),
    isDynamic: from === undefined,
    isType: from !== undefined && isType(names.trim()),
  }));
}

/** `type { A }`, `{ type A, type B }` */
function isType(names: string): boolean {
  if (names.startsWith('type ')) return true;
  const [, braces] = /^\{([^}]*)\}$/.exec(names) ?? [];
  const each = braces?.split(',').filter((name) => name.trim() !== '') ?? [];
  return each.length > 0 && each.every((name) => name.trim().startsWith('type '));
}

/**
 * Returns the groups of files that import each other, directly or indirectly: the strongly connected components of more
 * than one file (Tarjan). Dynamic imports count too.
 */
export function findCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    onStack.add(file);
    for (const target of targets.get(file) ?? []) {
      if (!index.has(target)) {
        visit(target);
        low.set(file, Math.min(low.get(file)!, low.get(target)!));
      } else if (onStack.has(target)) {
        low.set(file, Math.min(low.get(file)!, index.get(target)!));
      }
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    for (const member of component) onStack.delete(member);
    if (component.length > 1) cycles.push(component.sort());
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
