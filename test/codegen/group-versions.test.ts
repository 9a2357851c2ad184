import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blocksOf } from '../support/document-blocks.ts';
import { root } from '../support/generated-project.ts';
import { describeKubectl } from '../support/kubectl.ts';
import { Walkthrough } from '../support/walkthrough.ts';

const document = 'docs/group-versions.md';

describeKubectl('docs/group-versions.md, followed to the letter', () => {
  let walkthrough: Walkthrough;

  beforeAll(async () => {
    walkthrough = await Walkthrough.open(document);
  });
  afterAll(() => walkthrough?.close());

  test('every block works as described', async () => {
    const output = await walkthrough.follow();
    const [refusal] = (await blocksOf(document)).filter(({ language }) => language === 'text');
    expect(output).toContain(refusal.text);
    expect(output).toMatch(/^NAME +WIDTH +HEIGHT\ndoor +3 +4\nwindow +5 +6$/m);
    expect(output).toMatch(/^NAME +SIZE\ndoor +3x4\nwindow +5x6\nNAME +SIZE\nwindow +5x6$/m);
    expect(output).toContain('{"colour":"red","height":4,"width":3} {"room":"kitchen"}');
    expect(output.match(/^widget.shop.example.com\/door replaced$/gm)).toHaveLength(2);
  });

  test('the test in the document passes', async () => {
    const loader = join(root, 'test/support/ts-loader.mjs');
    const output = await walkthrough.run(process.execPath, ['--import', loader, '--test', 'widgets.test.ts']);
    expect(output).toMatch(/seed: \d+/);
  });
});
