import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { overlayFunctions, runtimeNames } from '../../../../codegen/print/symbols.ts';

const source = (file: string): string => readFileSync(new URL(`../../../../runtime/${file}`, import.meta.url), 'utf8');

describe('the runtime has what generated code may use', () => {
  const names = Object.entries(runtimeNames).flatMap(([file, list]) => list.map((name): string[] => [name, file]));

  test.each(names)('%s of %s', (name, file) => {
    const declaration = name.startsWith('type ') ? 'interface|class|type' : '(?:async )?function|const|class';
    const plain = name.replace('type ', '');
    expect(source(file)).toMatch(new RegExp(`^export (?:(?:${declaration}) ${plain}\\b|type \\{[^}]*\\b${plain}\\b[^}]*\\})`, 'm'));
  });

  test.each(Object.values(overlayFunctions))('%s, in which overlays name functions', (file) => {
    expect(source(file)).toMatch(/^export /m);
  });
});
