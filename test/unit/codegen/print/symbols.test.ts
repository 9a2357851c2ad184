import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { namedFunctions, type RuntimeSymbol, symbolFile, symbolNames } from '../../../../codegen/print/symbols.ts';

const source = (file: string): string => readFileSync(new URL(`../../../../runtime/${file}`, import.meta.url), 'utf8');

describe('the runtime has what generated code may use', () => {
  test.each(symbolNames)('%s', (name) => {
    const { file, type } = symbolFile(name as RuntimeSymbol);
    const declaration = type ? 'interface|class' : 'function|const|class';
    expect(source(file)).toMatch(new RegExp(`^export (?:${declaration}) ${name}\\b`, 'm'));
  });

  test.each(Object.values(namedFunctions))('%s, where overlays look for functions', (file) => {
    expect(source(file)).toMatch(/^export /m);
  });
});
