import { expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

describeKubectl('kubectl and flow control', () => {
  const suite = TestServer.withKubectl();

  const rows = async (...args: string[]): Promise<string[]> =>
    (await suite.kubectl.ok(['get', ...args]))
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .trim()
          .split(/\s{2,}/)
          .join('|')
          .replace(/\b\d+[ms]\w*\b/, 'AGE'),
      );

  test('get flowschemas prints upstream’s columns', async () => {
    const [head, ...lines] = await rows('flowschemas');
    expect(head).toBe('NAME|PRIORITYLEVEL|MATCHINGPRECEDENCE|DISTINGUISHERMETHOD|AGE|MISSINGPL');
    expect(lines).toEqual(
      expect.arrayContaining([
        'exempt|exempt|1|<none>|AGE|False',
        'kube-scheduler|workload-high|800|ByNamespace|AGE|False',
        'catch-all|catch-all|10000|ByUser|AGE|False',
      ]),
    );
  });

  test('get prioritylevelconfigurations prints upstream’s columns', async () => {
    const [head, ...lines] = await rows('prioritylevelconfigurations');
    expect(head).toBe('NAME|TYPE|NOMINALCONCURRENCYSHARES|QUEUES|HANDSIZE|QUEUELENGTHLIMIT|AGE');
    expect(lines).toEqual(
      expect.arrayContaining([
        'exempt|Exempt|<none>|<none>|<none>|<none>|AGE',
        'catch-all|Limited|5|<none>|<none>|<none>|AGE',
        'workload-low|Limited|100|128|6|50|AGE',
      ]),
    );
  });

  test('get --raw shows the dumps', async () => {
    const dump = await suite.kubectl.ok(['get', '--raw', '/debug/api_priority_and_fairness/dump_priority_levels']);
    expect(dump.split('\n')).toHaveLength(10);
  });
});
