import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { floors } from './floors.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Import {
  readonly file: string;
  readonly target: string;
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

  test('no file imports itself through others', () => {
    const graph = new Map<string, string[]>();
    for (const { file, target } of runtime.flatMap(valueImportsOf))
      graph.set(file, [...(graph.get(file) ?? []), target]);
    expect(findCycle(graph)).toEqual([]);
  });
});

function valueImportsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/(?:import|export) type [^;]*;/g, '');
  const pattern = /(?:^|\n)\s*(?:import|export)\b([^'"`;]*?)from\s*['"](\.[^'"]+)['"]/g;
  return [...text.matchAll(pattern)]
    .filter((match) => !/^\s*\{\s*(?:type [^,}]+,?\s*)+\}\s*$/.test(match[1]))
    .map((match) => ({ file, target: relative(root, join(root, dirname(file), match[2])) }));
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
