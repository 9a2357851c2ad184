import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { codegenFloors, floors } from './floors.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Import {
  readonly file: string;
  readonly target: string;
  /** Loaded when asked for: `await import(...)`. */
  readonly isDynamic: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    target: relative(root, join(root, dirname(file), match[1] ?? match[2])),
    isDynamic: match[1] === undefined,
  }));
}

/** `runtime/storage/kv/engine.ts` is in room storage; `generated/...` in room generated; `codegen/...` in codegen. */
function roomOf(file: string): string {
  const parts = file.split(sep);
  // these hold types only, and every room may name them
  if (parts[0] === 'generated' && parts.at(-1) === 'types.ts') return 'types';
  return parts[0] === 'runtime' ? (parts.length === 2 ? 'index' : parts[1]) : parts[0];
}

describe('the floors', () => {
  const runtime = sources('runtime');
  const everything = [...runtime, ...sources('codegen'), ...sources('generated')].flatMap(importsOf);

  test('every room of the runtime is in the table, and nothing else but generated code', () => {
    const rooms = new Set(runtime.map(roomOf).filter((room) => room !== 'index'));
    expect(Object.keys(floors).sort()).toEqual(['generated', ...rooms].sort());
  });

  test('imports point down', () => {
    const wrong = everything.filter(({ file, target }) => {
      const from = roomOf(file);
      const to = roomOf(target);
      if (from === 'codegen' || from === 'index' || from === to || to === 'machinery' || to === 'types') return false;
      const allowed = floors[from] ?? [];
      return !allowed.includes('*') && !allowed.includes(to) && !(from === 'cli' && to === 'codegen');
    });
    expect(wrong).toEqual([]);
  });

  test('the generator and the runtime do not import each other', () => {
    const crossing = everything.filter(({ file, target }) => {
      const pair = [roomOf(file), target.split(sep)[0]];
      return (pair[0] === 'codegen' && pair[1] === 'runtime') || (file.startsWith('runtime') && pair[1] === 'codegen');
    });
    expect(crossing.filter(({ file }) => !file.startsWith(join('runtime', 'cli')))).toEqual([]);
  });

  test('the only loose file of the runtime is its entry', () => {
    expect(runtime.filter((file) => file.split(sep).length === 2)).toEqual([join('runtime', 'index.ts')]);
  });

  test('the folders of the generator are in a separate table, and their imports point down, too', () => {
    const codegen = sources('codegen');
    const folderOf = (file: string): string => (file.split(sep).length === 2 ? 'cli' : file.split(sep)[1]);
    expect(Object.keys(codegenFloors).sort()).toEqual([...new Set(codegen.map(folderOf))].filter((folder) => folder !== 'cli').sort());
    const wrong = codegen.flatMap(importsOf).filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      return from !== 'cli' && from !== to && !codegenFloors[from].includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test.each(['runtime', 'codegen'])('no file of %s imports itself through others, not even for types', (folder) => {
    expect(cyclesOf(sources(folder).flatMap(staticImportsOf))).toEqual([]);
  });
});

/** Imports of values and types, without those that are loaded when asked for. */
const staticImportsOf = (file: string): Import[] => importsOf(file).filter(({ isDynamic }) => !isDynamic);

/** The strongly connected parts of the graph of imports that have more than one file. (Tarjan) */
function cyclesOf(imports: readonly Import[]): string[][] {
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports) graph.set(file, [...(graph.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    lowest.set(file, number);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? (order.get(next) ?? 0) : number) : visit(next);
      lowest.set(file, Math.min(lowest.get(file) ?? number, reached));
    }
    const low = lowest.get(file) ?? number;
    if (low === number) {
      const part = stack.splice(stack.indexOf(file));
      if (part.length > 1) cycles.push(part.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
