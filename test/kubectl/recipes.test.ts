import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../runtime/index.ts';
import { describeKubectl } from '../support/kubectl.ts';
import { startTestServer } from '../support/test-server.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('recipes of failures', () => {
  let server: RunningServer;
  let guide: Walkthrough;

  beforeAll(async () => {
    server = await startTestServer({ testControls: true, clock: 'manual' });
    guide = await Walkthrough.open('docs/recipes.md');
    await writeFile(join(guide.folder, 'kubeconfig'), server.kubeconfig);
  });
  afterAll(async () => {
    await guide?.close();
    await server?.close();
  });

  test('do what their page says', async () => {
    const output = await guide.follow();
    const expected = [
      /unexpected EOF[\s\S]*^settings +1 /m, // the lost acknowledgement
      /^fresh +0 [\s\S]*configmaps "fresh" not found/m, // the stale read
      /The provided continue parameter is too old/, // the second page
      /"type":"ERROR".*"code":410/, // the watch
      /failed calling webhook "down.example.com"[\s\S]*configmap\/accepted created/, // the webhook
      /events "started" not found/, // the hour
      /EOF[\s\S]*leader +b +15s/, // the leader
    ];
    expect(expected.filter((pattern) => !pattern.test(output)).map((pattern) => [pattern.source, output])).toEqual([]);
  });
});
