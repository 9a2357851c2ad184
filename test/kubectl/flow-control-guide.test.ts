import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { startTestServer } from '../support/test-server.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/flow-control.md, followed to the letter', () => {
  test('every block does what the page says', async () => {
    const server = await startTestServer();
    const guide = await Walkthrough.open('docs/flow-control.md');
    try {
      await writeFile(join(guide.folder, 'kubeconfig'), server.kubeconfig);
      const output = await guide.follow();
      expect(output).toMatch(/X-Kubernetes-Pf-Flowschema-Uid: [0-9a-f-]{36}/);
    } finally {
      await guide.close();
      await server.close();
    }
  });
});
