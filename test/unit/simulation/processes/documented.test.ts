import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { requireOptions } from '../../../../runtime/machinery/options/check-options.ts';
import { podProgram, podProgramList } from '../../../../runtime/options/pod-programs.ts';
import { blocksOf } from '../../../support/document-blocks.ts';

/** Files of programs, and parts of their entries. */
const isFile = (text: string): boolean => /^programs:/m.test(text);

test('each YAML of docs/pod-programs.md is a file of programs, or a part of a program', async () => {
  const blocks = (await blocksOf('docs/pod-programs.md')).filter(({ language }) => language === 'yaml');
  expect(blocks.length).toBeGreaterThan(2);
  for (const { text } of blocks) {
    if (isFile(text)) requireOptions(podProgramList, parse(text));
    else requireOptions(podProgram, { image: 'a', command: ['b'], ...parse(text) });
  }
});
