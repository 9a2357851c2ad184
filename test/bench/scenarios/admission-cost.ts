import { enabledPlugins } from '../../../runtime/admission/plugins.ts';
import { reportCostOfTwo } from '../cost-of-two.ts';
import { onePod } from '../one-pod.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom } from '../target.ts';

const on = ['--storage=memory', '--authorization-mode=AlwaysAllow'];
const off = [...on, `--disable-admission-plugins=${enabledPlugins().join(',')}`];

/** Measures the default plugins. */
export async function admissionCost(report: Report): Promise<void> {
  await reportCostOfTwo(report, {
    title: 'processor time of creating a pod, with the default admission plugins and without any',
    on,
    off,
    prepareOn: createAccount,
    request: onePod.createGenerated,
    target: 'with the larger pod, which is validated and stored',
  });
  await reportStepsOfCreate(report);
  await reportCostOfTwo(report, {
    title: 'processor time of a GET, with the default admission plugins and without any',
    on,
    off,
    target: 'no more',
  });
}

/** Reports the time within the plugins, from the server's own metric. No plugin waits. */
async function reportStepsOfCreate(report: Report): Promise<void> {
  const server = await startKubeloom(on);
  const connections = await server.open(16);
  await createAccount(connections);
  const create = (ms: number) => hammer(connections, ms, () => onePod.createGenerated, [201]);
  await create(4_000);
  const before = await stepSeconds(connections[0]);
  const { latencies } = await create(8_000);
  const after = await stepSeconds(connections[0]);
  for (const connection of connections) connection.close();
  await server.close();
  const each = ((after - before) / latencies.length) * 1e6;
  report.row('of that, in the plugins', `${each.toFixed(1)} µs`, '', 'at most 60 µs');
}

/** Returns the total seconds of both steps of all creates. */
async function stepSeconds(connection: RawConnection): Promise<number> {
  const { body = '' } = await connection.send(RawConnection.request('GET', '/metrics'), true);
  const sums = body.toString().matchAll(/^apiserver_admission_step_admission_duration_seconds_sum\{.*"CREATE".*\} (.*)$/gm);
  let total = 0;
  for (const [, seconds] of sums) total += Number(seconds);
  if (total === 0) throw new Error('/metrics has no time of the steps of admission');
  return total;
}

/** Measures webhooks that do not match the writes. */
export async function idleWebhookCost(report: Report): Promise<void> {
  await reportCostOfTwo(report, {
    title: 'processor time of creating a ConfigMap, with 100 webhooks about other resources and without any',
    on,
    off: on,
    prepareOn: createIdleWebhooks,
    request: RawConnection.request('POST', configMaps, JSON.stringify({ metadata: { generateName: 'c-' } }), json),
    target: 'no more',
  });
}

const json = { 'content-type': 'application/json' };
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Creates ten configurations of each kind, with five webhooks each. */
async function createIdleWebhooks([connection]: readonly RawConnection[]): Promise<undefined> {
  const rules = [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['*'], resources: ['*/*'] }];
  const shared = { rules, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const webhooks = Array.from({ length: 5 }, (_, n) => ({
    ...shared,
    name: `w${n}.example.com`,
    clientConfig: { url: 'https://127.0.0.1:1/' },
  }));
  for (const kind of ['mutating', 'validating']) {
    for (let n = 0; n < 10; n++) {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
      const body = JSON.stringify({ metadata: { name: `c${n}` }, webhooks });
      await connection.send(RawConnection.request('POST', path, body, json), true);
    }
  }
}

/** Creates the pods' service account, because its controller may not have run yet. */
async function createAccount([connection]: readonly RawConnection[]): Promise<undefined> {
  const body = JSON.stringify({ metadata: { name: 'default' } });
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await connection.send(RawConnection.request('POST', path, body, { 'content-type': 'application/json' }), true);
}
