import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, labels: Record<string, string> = {}, data: Record<string, string> = { a: '1' }): object => ({
  metadata: { name, labels },
  data,
});

describeUnless(missingBrowser)('the resources in a browser', () => {
  const suite = PageBrowser.forSuite({ testControls: true });
  const row = (name: string) => suite.page.getByRole('row').filter({ hasText: name });
  const rows = () => suite.page.locator('.virtual .grid-row');

  test('groups have their kinds with live counts', async () => {
    const link = suite.page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name: /^LimitRange/ });
    await link.getByText('0', { exact: true }).waitFor();
    await suite.write('POST', '/api/v1/namespaces/default/limitranges', { metadata: { name: 'small' } });
    await link.getByText('1', { exact: true }).waitFor();
  });

  test("a table has the server's own columns, and follows each change", async () => {
    await suite.go('#/resources/-/configmaps');
    await suite.page.getByRole('columnheader', { name: 'Data' }).waitFor();
    await suite.write('POST', configMaps, configMap('followed'));
    const followed = row('followed');
    await followed.and(suite.page.locator('.flash-added')).waitFor();
    await suite.write('PATCH', `${configMaps}/followed`, { data: { b: '2' } }, 'application/merge-patch+json');
    await followed.and(suite.page.locator('.flash-changed')).waitFor();
    await followed.getByText('2', { exact: true }).waitFor();
    await suite.write('DELETE', `${configMaps}/followed`);
    await followed.and(suite.page.locator('.flash-deleted')).waitFor();
    await followed.waitFor({ state: 'detached' });
    expect(suite.complaints).toEqual([]);
  });

  test('a lost watch says so, and goes on', async () => {
    await suite.go('#/resources/-/configmaps');
    await suite.page.getByRole('status').getByText('Live').waitFor();
    const plan = await suite.server.faults.add({
      match: { userAgents: ['kubeloom-page/*'], resources: ['configmaps'] },
      fault: { status: { code: 503 } },
    });
    const close = await suite.server.faults.add({
      match: { verbs: ['watch'], userAgents: ['kubeloom-page/*'], resources: ['configmaps'] },
      fault: { watch: { action: 'Close' } },
    });
    await suite.page.getByRole('status').getByText('Watch lost').waitFor();
    await suite.write('POST', configMaps, configMap('meanwhile'));
    close.remove();
    plan.remove();
    await row('meanwhile').waitFor();
    await suite.page.getByRole('status').getByText('Live again').waitFor();
  });

  test.each([
    ['namespace', { namespace: 'kube-public' }, ['in-public']],
    ['label', { labels: 'tier=back' }, ['labelled']],
    ['field', { fields: 'metadata.name=labelled' }, ['labelled']],
    ['text', { text: 'TIER=back' }, ['labelled']],
  ])('rows are filtered by %s', async (_what, query, names) => {
    await suite.server.fetch(configMaps, { method: 'DELETE' });
    await suite.server.fetch('/api/v1/namespaces/kube-public/configmaps', { method: 'DELETE' });
    await suite.write('POST', configMaps, configMap('labelled', { tier: 'back' }));
    await suite.write('POST', configMaps, configMap('other', { tier: 'front' }));
    await suite.write('POST', '/api/v1/namespaces/kube-public/configmaps', configMap('in-public'));
    await suite.go(`#/resources/-/configmaps?${new URLSearchParams(query as Record<string, string>)}`);
    await row(names[0] ?? '').waitFor();
    await rows().filter({ hasText: 'other' }).waitFor({ state: 'detached' });
    const shown = await rows().locator('a').allTextContents();
    expect(shown.filter((name) => name !== 'kube-root-ca.crt')).toEqual(names);
  });

  test('a wrong selector is explained in the words of the server', async () => {
    await suite.go('#/resources/-/configmaps?labels=a%20in%20(');
    await suite.page.getByRole('status').getByText('Refused: unable to parse requirement').waitFor();
  });

  test('the keyboard alone finds a row and switches the theme', async () => {
    await suite.go('#/resources/-/namespaces');
    await row('kube-system').waitFor();
    await suite.page.keyboard.press('/');
    await suite.page.keyboard.type('kube-s');
    await suite.page.keyboard.press('Escape');
    await suite.page.keyboard.press('j');
    expect(await suite.page.locator('.grid-row.active').textContent()).toContain('kube-system');
    const theme = () => suite.page.evaluate('document.documentElement.dataset.theme');
    expect(await theme()).toBe('light');
    await suite.page.keyboard.press('d');
    expect(await theme()).toBe('dark');
    await suite.page.keyboard.press('?');
    await suite.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await suite.page.keyboard.press('Escape');
    await suite.page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  test('a script in any text of an object is text', async () => {
    const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const annotations = { 'kubeloom.dev/a': script };
    await suite.write('POST', configMaps, { metadata: { name: 'scripted', annotations }, data: { a: script, b: 'javascript:alert(1)' } });
    await suite.write('POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'scripted' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: script },
      message: script,
      reason: script,
      type: script,
    });
    await suite.go('#/resources/-/events');
    await row('<script>').first().waitFor();
    expect(await suite.page.title()).toBe('Kubeloom');
    expect(await suite.page.locator('main img, main script').count()).toBe(0);
    expect(suite.complaints).toEqual([]);
  });

  test('a session that has ended says how to go on', async () => {
    const used = suite.server.ui?.link();
    await suite.page.evaluate("localStorage.setItem('kubeloom-session-key', 'none')");
    await suite.page.reload();
    await suite.page.getByRole('alert').getByText('kubeloom ui').waitFor();
    await suite.page.goto(used ?? '');
    await suite.page.getByRole('grid').waitFor();
  });

  test('no other page can frame it', async () => {
    const page = await suite.open();
    const [address, link] = [`${suite.server.url}/ui/`, suite.server.ui?.link() ?? ''];
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${address}"></iframe><iframe src="${link}"></iframe>`);
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => '')),
    );
    expect(texts.filter((text) => text.includes('id="root"') || text.includes('#key='))).toEqual([]);
  });
});
