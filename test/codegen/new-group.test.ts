import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';
import { describeKubectl } from '../support/kubectl.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/new-group.md, followed to the letter', () => {
  let walkthrough: Walkthrough;

  beforeAll(async () => {
    walkthrough = await Walkthrough.open('docs/new-group.md');
  });
  afterAll(() => walkthrough?.close());

  test('every block works as described', async () => {
    const output = await walkthrough.follow();
    expect(output).toContain('robot.factory.example.com/marvin created');
    // named after the document, not after the release of Kubernetes beside it
    await expect(readdir(join(walkthrough.folder, 'generated'))).resolves.toContain('robots');
    expect(output).toMatch(/^NAME +ARMS +AGE\nmarvin +2 +\d+[ms]\w*$/m);
    expect(output).toMatch(/model\s+<string> -required-/);
    const types = await readFile(join(walkthrough.folder, 'clients/pets/zoo.example.com/v1/types.ts'), 'utf8');
    expect(types).toContain("species: 'cat' | 'dog'");
  });

  test('the test in the document passes', async () => {
    const loader = join(root, 'test/support/ts-loader.mjs');
    await walkthrough.run(process.execPath, ['--import', loader, '--test', 'robots.test.ts']);
  });
});
