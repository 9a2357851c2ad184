import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { codegenFloors, floors, groups } from './floors.ts';
import { findCycles, type Import, importsOf, sourcesIn } from './imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `runtime/storage/kv/engine.ts` is in room storage; `generated/...` in room generated; `codegen/...` in codegen. */
function roomOf(file: string): string {
  const parts = file.split(sep);
  // files with only types, which every room may import
  if (parts[0] === 'generated' && parts.at(-1) === 'types.ts') return 'types';
  return parts[0] === 'runtime' ? (parts.length === 2 ? 'index' : parts[1]) : parts[0];
}

describe('the floors', () => {
  const runtime = sourcesIn(root, 'runtime');
  const everything = importsOf(root, ['runtime', 'codegen', 'generated']);
  const between = everything.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return !['codegen', 'index', to].includes(from) && to !== 'machinery' && to !== 'types';
  });

  test('every room of the runtime is in the table, and nothing else but generated code', () => {
    const rooms = new Set(runtime.map(roomOf).filter((room) => room !== 'index'));
    expect(Object.keys(floors).sort()).toEqual(['generated', ...rooms].sort());
  });

  test('imports point down', () => {
    const wrong = between.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      const allowed = floors[from] ?? [];
      return !allowed.includes('*') && !allowed.includes(to) && !(from === 'cli' && to === 'codegen');
    });
    expect(wrong).toEqual([]);
  });

  test('no room may import more than it does', () => {
    const used = new Set(between.map(({ file, target }) => `${roomOf(file)} -> ${roomOf(target)}`));
    const allowed = Object.entries(floors).flatMap(([room, below]) => below.filter((to) => to !== '*').map((to) => `${room} -> ${to}`));
    expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  test('the API server loads no room of another group before options ask for it', () => {
    const optional = new Set(groups.slice(1).flatMap(({ rooms }) => Object.keys(rooms)));
    const loaded = new Map<string, Import[]>();
    for (const one of everything) {
      if (!one.isDynamic && !one.isType) loaded.set(one.file, [...(loaded.get(one.file) ?? []), one]);
    }
    const waiting = ['api-server.ts', 'config.ts', 'workers/entry.ts', 'workers/codec-entry.ts'].map((file) => `runtime/server/${file}`);
    const seen = new Set(waiting);
    const wrong: string[] = [];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const { target } of loaded.get(file) ?? []) {
        if (optional.has(roomOf(target))) wrong.push(`${file} -> ${target}`);
        else if (!seen.has(target)) waiting.push(target);
        seen.add(target);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(1000);
  });

  test('the generator and the runtime do not import each other', () => {
    const crossing = everything.filter(({ file, target }) => {
      const [from, to] = [file, target].map((path) => path.split(sep)[0]);
      return (from === 'codegen' && to === 'runtime') || (from === 'runtime' && to === 'codegen' && roomOf(file) !== 'cli');
    });
    expect(crossing).toEqual([]);
  });

  test('the only loose file of the runtime is its entry', () => {
    expect(runtime.filter((file) => roomOf(file) === 'index')).toEqual(['runtime/index.ts']);
  });

  test('the folders of the generator are in a separate table, and their imports point down, too', () => {
    const folderOf = (file: string): string => (file.split(sep).length === 2 ? 'cli' : file.split(sep)[1]);
    const folders = new Set(sourcesIn(root, 'codegen').map(folderOf));
    expect(Object.keys(codegenFloors).sort()).toEqual([...folders].filter((folder) => folder !== 'cli').sort());
    const wrong = importsOf(root, ['codegen']).filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      return from !== 'cli' && from !== to && !codegenFloors[from].includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test.each(['runtime', 'codegen'])('no file of %s imports itself through others, not even for types', (folder) => {
    expect(findCycles(importsOf(root, [folder]).filter(({ isDynamic }) => !isDynamic))).toEqual([]);
  });
});
