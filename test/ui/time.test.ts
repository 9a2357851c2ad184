import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describeUnless(missingBrowser)('the time in a browser', () => {
  const suite = PageBrowser.forSuite({ testControls: true, history: 'all', clock: 'manual' });
  const past = () => suite.page.getByRole('table');
  const controls = (name: string) => suite.page.getByRole('group', { name });

  test('a slider shows any table and object as it was', async () => {
    await suite.write('POST', configMaps, { metadata: { name: 'aged' }, data: { a: 'old' } });
    const { metadata } = await suite.read(`${configMaps}/aged`);
    await suite.write('PATCH', `${configMaps}/aged`, { data: { a: 'new', b: 'new' } }, 'application/merge-patch+json');
    await suite.write('DELETE', `${configMaps}/aged`);
    await suite.go('#/time?of=-%2Fconfigmaps');
    await past().getByRole('row').filter({ hasText: 'kube-root-ca.crt' }).first().waitFor();
    await past().getByText('aged').waitFor({ state: 'detached' });
    const slider = suite.page.getByRole('slider', { name: 'Revision' });
    await slider.fill(metadata.resourceVersion);
    await suite.page.getByRole('heading', { name: `Revision ${metadata.resourceVersion}` }).waitFor();
    const row = past().getByRole('row').filter({ hasText: 'aged' });
    await row.waitFor();
    expect((await row.getByRole('cell').allTextContents()).slice(1)).toEqual(['aged', '1']);
    await row.getByRole('button').click();
    const then = suite.page.getByRole('complementary', { name: 'The object then' });
    await then.locator('pre').getByText('a: old').waitFor();
    await then.locator('.removed').filter({ hasText: 'a: old' }).waitFor();
  });

  test('the keyboard goes from change to change', async () => {
    await suite.write('POST', configMaps, { metadata: { name: 'stepped' }, data: { a: '1' } });
    await suite.write('DELETE', `${configMaps}/stepped`);
    await suite.go('#/time?of=-%2Fconfigmaps');
    await suite.page.getByText(/deleted ConfigMap default\/stepped/).waitFor();
    await suite.page.keyboard.press('ArrowLeft');
    await suite.page.getByText(/created ConfigMap default\/stepped/).waitFor();
    await past().getByText('stepped').waitFor();
    await suite.page.keyboard.press('0');
    await past().getByText('stepped').waitFor({ state: 'detached' });
  });

  test('a snapshot is taken and comes back', async () => {
    await suite.go('#/time?of=-%2Fconfigmaps');
    await controls('Snapshots').getByRole('button', { name: 'Take a snapshot' }).click();
    await controls('Snapshots').getByRole('button', { name: 'Restore', exact: true }).waitFor();
    await suite.write('POST', configMaps, { metadata: { name: 'later' } });
    await past().getByText('later').waitFor();
    await controls('Snapshots').getByRole('button', { name: 'Restore', exact: true }).click();
    await past().getByText('later').waitFor({ state: 'detached' });
  });

  test('the clock advances, a fault hits its agent, and a fork runs', async () => {
    await suite.go('#/time');
    const before = suite.server.clock.now();
    await controls('Clock').getByLabel('Duration').fill('5m');
    await controls('Clock').getByRole('button', { name: 'Advance' }).click();
    await suite.page.getByText('The clock is 5m ahead.').waitFor();
    expect(suite.server.clock.now() - before).toBe(300_000);
    await controls('Faults').getByLabel('Fault').selectOption('All reads: 503');
    await controls('Faults').getByLabel('User agent').fill('unlucky/');
    await controls('Faults').getByRole('button', { name: 'Add the fault' }).click();
    await suite.page.getByText('The fault is in force.').waitFor();
    const code = async (agent: string) => (await suite.server.fetch(configMaps, { headers: { 'user-agent': agent } })).status;
    expect([await code('unlucky/v1'), await code('lucky/v1')]).toEqual([503, 200]);
    await controls('Faults').getByText('1 hits').waitFor();
    await controls('Faults').getByRole('button', { name: 'Remove' }).click();
    await controls('Faults').getByText('1 hits').waitFor({ state: 'detached' });
    await controls('Forks').getByRole('button', { name: 'Fork the server' }).click();
    await controls('Forks')
      .getByText(/^https:\/\/127\.0\.0\.1:\d+$/)
      .waitFor();
    await controls('Forks').getByRole('button', { name: 'End' }).click();
    await controls('Forks')
      .getByText(/^https:/)
      .waitFor({ state: 'detached' });
  });
});
