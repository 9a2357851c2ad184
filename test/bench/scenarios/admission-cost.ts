import { enabledPlugins } from '../../../runtime/admission/plugins.ts';
import { reportCostOfTwo } from '../cost-of-two.ts';
import { onePod } from '../one-pod.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';

const on = ['--storage=memory', '--authorization-mode=AlwaysAllow'];
const off = [...on, `--disable-admission-plugins=${enabledPlugins().join(',')}`];

/** The cost of the plugins that are on by default. */
export async function admissionCost(report: Report): Promise<void> {
  await reportCostOfTwo(report, {
    title: 'processor time of creating a pod, with the default admission plugins and without any',
    ...{ on, off, prepareOn: createAccount },
    request: onePod.createGenerated,
    target: 'at most 60 µs more',
  });
  await reportCostOfTwo(report, {
    title: 'processor time of a GET, with the default admission plugins and without any',
    ...{ on, off },
    target: 'no more',
  });
}

/** The service account that every pod has; its controller may not have made it yet. */
async function createAccount([connection]: readonly RawConnection[]): Promise<undefined> {
  const body = JSON.stringify({ metadata: { name: 'default' } });
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await connection.send(RawConnection.request('POST', path, body, { 'content-type': 'application/json' }), true);
}
