import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../runtime/index.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { startTestServer } from '../support/test-server.ts';
import { Walkthrough } from '../support/walkthrough.ts';

describeKubectl('test controls by kubectl', () => {
  let server: RunningServer;
  let kubectl: Kubectl;
  let guide: Walkthrough;

  beforeAll(async () => {
    server = await startTestServer({ testControls: true, clock: 'manual' });
    kubectl = await Kubectl.for(server.kubeconfig);
    guide = await Walkthrough.open('docs/test-controls.md');
    await writeFile(join(guide.folder, 'kubeconfig'), server.kubeconfig);
  });
  afterAll(async () => {
    await guide?.close();
    await kubectl?.close();
    await server?.close();
  });

  test('do what their guide says', async () => {
    const output = await guide.follow();
    expect(output).toContain('faultplan.testing.kubeloom.dev/conflict-once condition met');
    expect(output).toMatch(/^NAME +FAULT +MATCHES +HITS +AGE\nconflict-once +status +2 +1 +0s$/m);
    expect(output).toContain('namespace/web created');
    expect(output).not.toMatch(/^web +Active/m);
    expect(output).toContain('namespace/only-in-the-fork created');
    expect(output).toMatch(/^2026-01-01T00:05:00.000000Z$/m);
    expect(output).toMatch(/^true$/m);
    expect(output).toMatch(/^create get patch get patch$/m);
  });

  test('are explained', async () => {
    const explained = await kubectl.ok(['explain', 'faultplan.spec.match.userAgents']);
    expect(explained).toContain('User agents, for example my-operator/*.');
  });

  test('are for administrators only', async () => {
    const refused = await kubectl.run(['get', 'faultplans', '--as=jane', '--as-group=system:authenticated']);
    expect(refused.stderr).toContain(
      'faultplans.testing.kubeloom.dev is forbidden: User "jane" cannot list resource "faultplans" in API group "testing.kubeloom.dev" at the cluster scope',
    );
  });
});
