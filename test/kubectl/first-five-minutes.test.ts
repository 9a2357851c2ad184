import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/first-five-minutes.md, followed to the letter', () => {
  let guide: Walkthrough;

  beforeAll(async () => {
    guide = await Walkthrough.open('docs/first-five-minutes.md');
  });
  afterAll(() => guide?.close());

  test('every block does what the page says', async () => {
    const output = await guide.follow((text) => text.replace(/ serve /, ' serve --secure-port=0 '));
    expect(output).toMatch(
      /deployment "web" successfully rolled out[\s\S]*ScalingReplicaSet[\s\S]*No resources found in default namespace/,
    );
    expect(output).toContain('Operation cannot be fulfilled');
    expect(output).toMatch(/deployment.apps\/web image updated[\s\S]*No resources found in default namespace/);
  });
});
