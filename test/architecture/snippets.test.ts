import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operatorTest, snippets } from '../package/snippets.ts';
import { type Block, blocksOf, fileOf } from '../support/document-blocks.ts';
import { root } from '../support/generated-project.ts';

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The file that runs all blocks of a document in the given languages. The file names the document. */
const followed: Readonly<Record<string, { readonly by: string; readonly languages: readonly string[] }>> = {
  'docs/aggregated-server.md': { by: 'test/codegen/aggregated-server.test.ts', languages: ['sh'] },
  'README.md': { by: 'test/kits/readme.ts', languages: ['go', 'python', 'java'] },
  'docs/dotnet.md': { by: 'test/languages/main.ts', languages: [] },
  'docs/faults.md': { by: 'test/unit/testkit/faults/documented.test.ts', languages: ['yaml'] },
  'docs/first-five-minutes.md': { by: 'test/kubectl/first-five-minutes.test.ts', languages: ['sh'] },
  'docs/flow-control.md': { by: 'test/kubectl/flow-control-guide.test.ts', languages: ['sh'] },
  'docs/group-versions.md': { by: 'test/codegen/group-versions.test.ts', languages: ['sh', 'text'] },
  'docs/new-group.md': { by: 'test/package/own-group.ts', languages: ['sh'] },
  'docs/new-version.md': { by: 'test/codegen/new-version.test.ts', languages: ['sh'] },
  'docs/recipes.md': { by: 'test/kubectl/recipes.test.ts', languages: ['sh'] },
  'docs/running-for-a-team.md': { by: 'test/kubectl/running-for-a-team.test.ts', languages: ['sh'] },
  'docs/pod-programs.md': { by: 'test/unit/simulation/processes/documented.test.ts', languages: ['yaml'] },
  'docs/rust.md': { by: 'test/languages/main.ts', languages: [] },
  'docs/test-controls.md': { by: 'test/kubectl/test-controls.test.ts', languages: ['sh'] },
  'docs/testing-an-operator.md': { by: 'test/architecture/documents.test.ts', languages: [] },
  'docs/testing.md': { by: 'test/languages/main.ts', languages: [] },
};

/** Blocks that nothing runs, by the beginning of their text, with the reason. */
const exceptions: readonly (readonly [document: string, beginning: string, reason: string])[] = [
  ['docs/testing-an-operator.md', 'cp -r examples/operator', 'test/package copies and runs the example itself'],
  ['docs/testing-an-operator.md', 'apiVersion: fleet.example.com/v1', 'shows an object as its users write it'],
  ['docs/testing.md', 'npx kubeloom serve --storage=memory', 'each language in test/languages starts this command'],
  ['docs/versions.md', 'kubeloom serve --kubernetes-version', 'serves on the default port until it is ended'],
];

function isRun(document: string, block: Block, fragment: number): boolean {
  const follower = followed[document];
  if (follower && (fileOf(block) !== undefined || block.note.startsWith('from='))) return true;
  if (follower?.languages.includes(block.language)) return true;
  if (fragment < 0) return false;
  return [...snippets, operatorTest].some((each) => each.document === document && each.index === fragment);
}

const isFragment = ({ language, note }: Block): boolean => language === 'ts' && note === '';

describe('code in documents', () => {
  test.each(documents)('each block of %s is run by a test', async (document) => {
    const blocks = await blocksOf(document);
    const fragments = blocks.filter(isFragment);
    const rest = blocks.filter((block) => !isRun(document, block, fragments.indexOf(block)));
    const unknown = rest.filter(({ text }) => !exceptions.some(([where, beginning]) => where === document && text.startsWith(beginning)));
    expect(unknown.map(({ language, text }) => `${language}: ${text}`)).toEqual([]);
  });

  test.each(Object.entries(followed))('%s is named by what runs it', (document, { by }) => {
    expect(existsSync(join(root, by))).toBe(true);
    expect(readFileSync(join(root, by), 'utf8')).toContain(document);
  });

  test.each(exceptions)('%s has the exception %j', async (document, beginning) => {
    const blocks = await blocksOf(document);
    expect(blocks.filter(({ text }) => text.startsWith(beginning))).toHaveLength(1);
  });

  test('each snippet is a block', async () => {
    for (const { document, index } of [...snippets, operatorTest])
      expect((await blocksOf(document)).filter(isFragment).length).toBeGreaterThan(index);
  });
});
