import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  definitionFiles,
  importDefinitions,
  namedFunctions,
  type RuntimeSymbol,
  symbolFile,
  symbolNames,
} from '../../../../codegen/print/symbols.ts';

const source = (file: string): string => readFileSync(new URL(`../../../../runtime/${file}`, import.meta.url), 'utf8');

describe('the runtime has what generated code may use', () => {
  test.each(symbolNames)('%s', (name) => {
    const { file, type } = symbolFile(name as RuntimeSymbol);
    const declaration = type ? 'interface|class' : 'function|const|class';
    expect(source(file)).toMatch(
      new RegExp(`^export (?:(?:${declaration}) ${name}\\b|type \\{[^}]*\\b${name}\\b[^}]*\\})`, 'm'),
    );
  });

  test.each(Object.values(namedFunctions))('%s, where overlays look for functions', (file) => {
    expect(source(file)).toMatch(/^export /m);
  });

  const definitions = Object.entries(definitionFiles).flatMap(([file, names]) => names.map((name) => [name, file]));
  test.each(definitions)('%s of %s', (name, file) => {
    const declaration = name.startsWith('type ') ? 'interface|class|type' : 'function|const|class';
    expect(source(file)).toMatch(new RegExp(`^export (?:${declaration}) ${name.replace('type ', '')}\\b`, 'm'));
  });
});

test('an import of types alone loads nothing', () => {
  expect(importDefinitions('../r', 'machinery/object.ts', ['type JsonObject', 'type Json'])).toBe(
    "import type { Json, JsonObject } from '../r/machinery/object.ts';\n",
  );
  expect(importDefinitions('../r', 'machinery/schema/merge-schema.ts', ['type StructMerge', 'list'])).toBe(
    "import { list, type StructMerge } from '../r/machinery/schema/merge-schema.ts';\n",
  );
  expect(importDefinitions('../r', 'machinery/object.ts', [])).toBe('');
});
