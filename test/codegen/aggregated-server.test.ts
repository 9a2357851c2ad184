import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('docs/aggregated-server.md, followed to the letter', () => {
  let walkthrough: Walkthrough;

  beforeAll(async () => {
    walkthrough = await Walkthrough.open('docs/aggregated-server.md');
  });
  afterAll(() => walkthrough?.close());

  test('every block works as described', async () => {
    const port = await freePort();
    const output = await walkthrough.follow((text) => text.replaceAll('6444', String(port)));
    expect(output).toContain('apiservice.apiregistration.k8s.io/v1.factory.example.com condition met');
    expect(output).toMatch(/^v1.factory.example.com +factory\/factory-apiserver +True +\d+s$/m);
    expect(output).toContain('robot.factory.example.com/marvin created');
    // one for the administrator, and one for jane
    expect(output.match(/^marvin +\d+s$/gm)).toHaveLength(2);
    expect(output).toMatch(/^robots +factory.example.com\/v1 +true +Robot$/m);
    expect(output).toMatch(/model\s+<string> -required-/);
    expect(output).toMatch(/^no$/m);
    expect(output).toContain('deployment.apps/factory-apiserver created');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
