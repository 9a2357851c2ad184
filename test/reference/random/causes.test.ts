import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { causes } from './causes.ts';

test('each cause of a difference from kube-apiserver is explained in docs/differences.md', () => {
  const text = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
  const [, section] = text.split('## Beside kube-apiserver itself');
  for (const { name } of causes) expect(section.split('\n## ')[0]).toContain(`\n| ${name} | `);
});
