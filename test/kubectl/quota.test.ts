import { beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

describeKubectl('kubectl and quotas', () => {
  const suite = TestServer.withKubectl();
  const ok = (...args: string[]) => suite.kubectl.ok(args);
  const compact = (text: string) => text.trim().replaceAll(/ {2,}/g, '  ');

  beforeAll(async () => {
    await ok('create', 'quota', 'team', '--hard=cpu=2,pods=2,secrets=3');
    await ok('create', 'quota', 'best-effort', '--hard=pods=1', '--scopes=BestEffort');
    await ok('wait', '--for=jsonpath={.status.used.pods}=0', 'quota/team', 'quota/best-effort');
  });

  test('create quota, run and describe quota show what is used', async () => {
    const overrides = JSON.stringify({
      spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1500m' } } }] },
    });
    expect(await ok('run', 'web', '--image=nginx', `--overrides=${overrides}`)).toBe('pod/web created\n');
    expect(compact(await ok('describe', 'quota', 'team'))).toBe(
      [
        'Name:  team',
        'Namespace:  default',
        'Resource  Used  Hard',
        '--------  ----  ----',
        'cpu  1500m  2',
        'pods  1  2',
        'secrets  0  3',
      ].join('\n'),
    );
    expect(compact(await ok('get', 'quota', 'team', '--no-headers'))).toMatch(/^team {2}cpu: 1500m\/2, pods: 1\/2, secrets: 0\/3/);
    const { code, stderr } = await suite.kubectl.run([
      'run',
      'more',
      '--image=nginx',
      `--overrides=${overrides.replaceAll('web', 'more')}`,
    ]);
    expect([code, stderr]).toEqual([
      1,
      'Error from server (Forbidden): pods "more" is forbidden: exceeded quota: team, requested: cpu=1500m, used: cpu=1500m, limited: cpu=2\n',
    ]);
    const plain = await suite.kubectl.run(['run', 'plain', '--image=nginx']);
    expect(plain.stderr).toBe(
      'Error from server (Forbidden): pods "plain" is forbidden: failed quota: team: must specify cpu for: plain\n',
    );
    await ok('delete', 'pod', 'web', '--now');
    await ok('wait', '--for=jsonpath={.status.used.cpu}=0', 'quota/team');
  });

  test('describe namespace shows quotas and limit ranges', async () => {
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'range' },
      spec: { limits: [{ type: 'Container', default: { cpu: '500m' }, max: { cpu: '1' } }] },
    };
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: JSON.stringify(range) });
    const described = compact(await ok('describe', 'namespace', 'default'));
    expect(described).toContain('Resource Quotas\n');
    expect(described).toMatch(/Name: {2}best-effort\n +Scopes: {2}BestEffort\n/);
    expect(described).toMatch(/Container +cpu +- +1 +500m +500m +-/);
  });
});
