import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';
import { describeKubectl } from '../support/kubectl.ts';
import { writeUpstreamSources } from '../support/upstream-sources.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/new-version.md, followed to the letter', () => {
  let walkthrough: Walkthrough;

  beforeAll(async () => {
    walkthrough = await Walkthrough.open('docs/new-version.md');
    await writeUpstreamSources(join(root, 'schemas/kubernetes/v1.36'), join(walkthrough.folder, 'sources'));
  });
  afterAll(() => walkthrough?.close());

  test('every block works as described', async () => {
    // the sources are already where the command would download them
    const output = await walkthrough.follow((text) => text.replace(/^git clone .*$/m, 'ls sources'));
    expect(output).toContain('wrote 108 files to');
    expect(output).toContain('the overlays of v1.35 have no rules and defaults for what only v1.36 has:');
  });

  test('the test in the document passes', async () => {
    const loader = join(root, 'test/support/ts-loader.mjs');
    await walkthrough.run(process.execPath, ['--import', loader, '--test', 'release.test.ts']);
  });
});
