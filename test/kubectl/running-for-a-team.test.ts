import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/running-for-a-team.md, followed to the letter', () => {
  let guide: Walkthrough;

  beforeAll(async () => {
    guide = await Walkthrough.open('docs/running-for-a-team.md');
  });
  afterAll(() => guide?.close());

  test('every block does what the page says', async () => {
    const output = await guide.follow((text) => text.replace(/ serve /, ' serve --secure-port=0 '));
    expect(output).toContain('configmaps is forbidden: User "jane" cannot list');
    expect(output).toMatch(/^yes\n[\s\S]*^no$/m);
  });
});
