import { request } from 'node:https';
import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';
import { WireClient } from '../support/wire-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describeUnless(missingBrowser)('the timeline in a browser', () => {
  const suite = PageBrowser.forSuite({ testControls: true, history: 'all' });
  const moments = () => suite.page.getByRole('grid', { name: 'Moments' }).getByRole('row');
  const moment = (...texts: readonly string[]) => texts.reduce((found, text) => found.filter({ hasText: text }), moments());
  const details = () => suite.page.getByRole('complementary', { name: 'Details' });

  /** Sends a request as a program. */
  const as = (agent: string, method: string, path: string, body?: object): Promise<number | undefined> =>
    new Promise((resolve) => {
      const { server } = suite;
      const headers = { 'user-agent': agent, 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const credentials = { ca: server.caCertificate, cert: server.clientCertificate, key: server.clientKey };
      request(`${server.url}${path}`, { method, headers, ...credentials }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
        .on('error', () => resolve(undefined))
        .end(body && JSON.stringify(body));
    });

  test('requests, failures and faults stand in the lane of their client', async () => {
    await as('reader/v1', 'GET', `${configMaps}/none`);
    const plan = await suite.server.faults.add({ match: { userAgents: ['unlucky/*'] }, fault: { status: { code: 503 } } });
    await as('unlucky/v1', 'GET', configMaps);
    plan.remove();
    await suite.go('#/timeline');
    await moment('reader', 'get', 'configmaps default/none', '404').waitFor();
    await moment('unlucky', 'list', '503', 'fault: status').click();
    await details().getByText('unlucky/v1').waitFor();
  });

  test('a write shows what it changed, and who reacted to it', async () => {
    const watcher = new WireClient(suite.server, 'HTTP/2');
    const watch = await watcher.watch(`${configMaps}?watch=true`, { 'user-agent': 'follower/v1' });
    await as('writer/v1', 'POST', configMaps, { metadata: { name: 'written' }, data: { a: 'old' } });
    await as('writer/v1', 'PATCH', `${configMaps}/written`, { data: { a: 'new' } });
    await as('follower/v1', 'POST', configMaps, { metadata: { name: 'follows' } });
    await suite.go('#/timeline');
    await moment('writer', 'patch', 'ConfigMap default/written').click();
    await details().locator('.removed').filter({ hasText: 'a: old' }).waitFor();
    await details().locator('.added').filter({ hasText: 'a: new' }).waitFor();
    await details().getByText('follower', { exact: true }).waitFor();
    await details().getByRole('button', { name: 'create ConfigMap default/follows' }).click();
    await details().getByRole('heading', { name: 'follower: create' }).waitFor();
    await moment('follower', 'received', 'configmaps').first().waitFor();
    watcher.close();
    expect(watch).toBeDefined();
  });

  test('writes of controllers of the server have lanes of their own', async () => {
    await as('writer/v1', 'POST', '/api/v1/namespaces', { metadata: { name: 'fresh' } });
    await suite.go('#/timeline?text=fresh');
    await moment('kube-controller-manager', 'created', 'ConfigMap fresh/kube-root-ca.crt').waitFor();
  });

  test('two writers who undo each other stand out, and the page alone shows which of them undid what', async () => {
    await as('kubectl/v1', 'POST', configMaps, { metadata: { name: 'fought' }, data: { size: '1' } });
    for (const size of ['5', '1', '5', '1', '5', '1']) {
      await as(size === '5' ? 'scaler/v1' : 'gitops/v1', 'PATCH', `${configMaps}/fought`, { data: { size } });
    }
    await suite.go('#/timeline');
    await suite.page.getByRole('button', { name: 'scaler and gitops write ConfigMap default/fought in turn: 7 writes' }).click();
    await moment('gitops', 'patch').first().click();
    await details().locator('.removed').filter({ hasText: 'size: "5"' }).waitFor();
    await details().locator('.added').filter({ hasText: 'size: "1"' }).waitFor();
    expect(await moments().locator('.subtle').first().textContent()).not.toBe('');
  });

  test('one writer who writes again and again stands out', async () => {
    await as('kubectl/v1', 'POST', configMaps, { metadata: { name: 'hot' }, data: { n: '0' } });
    for (let n = 1; n <= 12; n++) await as('looper/v1', 'PATCH', `${configMaps}/hot`, { data: { n: String(n) } });
    await suite.go('#/timeline');
    await suite.page.getByRole('button', { name: 'looper writes ConfigMap default/hot again and again: 12 writes' }).waitFor();
  });

  test('the keyboard walks through the moments, and the axis has time or order', async () => {
    await as('walker/v1', 'GET', `${configMaps}/first`);
    await as('walker/v1', 'GET', `${configMaps}/second`);
    await suite.go('#/timeline?text=walker');
    await moment('second').waitFor();
    await suite.page.keyboard.press('j');
    await details().getByText('configmaps default/second').waitFor();
    await suite.page.keyboard.press('k');
    await details().getByText('configmaps default/first').waitFor();
    await suite.page.keyboard.press('o');
    await suite.page.getByRole('button', { name: 'By order' }).waitFor();
  });
});
