import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';

describeUnless(missingBrowser)('traffic and health in a browser', () => {
  const suite = PageBrowser.forSuite({ testControls: true });

  const jane = { 'user-agent': 'janes-tool/v1', 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' };

  test('requests appear with verb, resource, user, agent, code and time', async () => {
    await suite.go('#/traffic');
    await suite.server.fetch('/api/v1/namespaces/default/pods', { headers: jane });
    const row = suite.page.getByRole('grid', { name: 'Requests' }).getByRole('row').filter({ hasText: 'janes-tool' });
    await row.waitFor();
    expect(await row.getByRole('gridcell').allTextContents()).toEqual([
      'list',
      'pods default',
      'jane',
      'janes-tool/v1',
      '403',
      expect.stringMatching(/^\d+ ms$/),
    ]);
  });

  test('priority levels have their seats, limits and queues', async () => {
    await suite.go('#/traffic');
    const level = suite.page.getByRole('list', { name: 'Priority levels' }).getByRole('listitem').filter({ hasText: 'global-default' });
    await level.getByRole('meter', { name: 'Seats of global-default' }).waitFor();
    await level.getByRole('img', { name: /^128 queues/ }).waitFor();
  });

  test('a request that holds a seat is seen while it runs', async () => {
    const plan = await suite.server.faults.add({
      match: { verbs: ['list'], userAgents: ['janes-tool/*'] },
      fault: { delay: { duration: '1h' } },
    });
    const end = new AbortController();
    const running = suite.server.fetch('/api/v1/pods', { headers: jane, signal: end.signal }).catch(() => undefined);
    await suite.go('#/traffic');
    await suite.page
      .getByRole('grid', { name: 'Requests' })
      .getByRole('row')
      .filter({ hasText: 'running' })
      .filter({ hasText: 'janes-tool' })
      .waitFor();
    plan.remove();
    end.abort();
    await running;
  });

  test('health has the checks of readiness, and a plot for each number', async () => {
    await suite.go('#/health');
    await suite.page.getByRole('status').getByText('checks are well').waitFor();
    await suite.page.getByText('Event loop delay').waitFor();
    await suite.page.locator('.plot canvas').first().waitFor();
    expect(await suite.page.locator('.plot canvas').count()).toBe(8);
    expect(await suite.page.locator('.plot').filter({ hasText: 'Objects' }).textContent()).toMatch(/[1-9]\d*/);
    expect(suite.complaints).toEqual([]);
  });
});
