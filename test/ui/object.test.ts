import { expect, test } from '@jest/globals';
import { missingBrowser, PageBrowser } from '../support/page-browser.ts';
import { describeUnless } from '../support/skipping.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const apply = 'application/apply-patch+yaml';
const applied = (name: string, data: Record<string, string>): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describeUnless(missingBrowser)('one object in a browser', () => {
  const suite = PageBrowser.forSuite({ testControls: true, history: 'all', simulate: true });
  const line = (text: string) => suite.page.locator('.cm-line').filter({ hasText: text });
  const button = (name: string) => suite.page.getByRole('button', { name, exact: true });

  /** Replaces the value in a line of the editor. */
  async function edit(text: string, value: string): Promise<void> {
    await line(text).click();
    await suite.page.keyboard.press('End');
    for (const _ of text.slice(text.indexOf(':') + 2)) await suite.page.keyboard.press('Backspace');
    await suite.page.keyboard.type(value);
  }

  test('each field shows its owner, and the legend picks out one owner', async () => {
    await suite.write('PATCH', `${configMaps}/owned?fieldManager=one`, applied('owned', { a: '1' }), apply);
    await suite.write('PATCH', `${configMaps}/owned?fieldManager=two`, applied('owned', { b: '2' }), apply);
    await suite.go('#/object/-/configmaps/default/owned');
    await line('a: "1"').waitFor();
    expect(await line('a: "1"').getAttribute('title')).toBe('one, Apply');
    expect(await line('b: "2"').getAttribute('title')).toBe('two, Apply');
    await suite.page.getByRole('button', { name: /^two/ }).click();
    expect(await line('a: "1"').getAttribute('class')).toContain('dim');
    expect(await line('b: "2"').getAttribute('class')).not.toContain('dim');
  });

  test('an edit is applied after a dry run, and takes only the changed field', async () => {
    await suite.write('POST', `${configMaps}?fieldManager=kubectl-create`, applied('edited', { a: '1', b: '2' }));
    await suite.go('#/object/-/configmaps/default/edited');
    await line('a: "1"').waitFor();
    await suite.page.keyboard.press('e');
    await edit('a: "1"', '"3"');
    expect(await button('Apply').isDisabled()).toBe(true);
    await button('Dry run').click();
    await suite.page.getByText('conflict with "kubectl-create" using v1').waitFor();
    await suite.page.getByText('Force mine').click();
    await button('Dry run').click();
    await suite.page.locator('.diff .added').filter({ hasText: 'a: "3"' }).waitFor();
    expect((await suite.read(`${configMaps}/edited`)).data).toEqual({ a: '1', b: '2' });
    await button('Apply').click();
    await line('a: "3"').waitFor();
    const { data, metadata } = await suite.read(`${configMaps}/edited`);
    expect(data).toEqual({ a: '3', b: '2' });
    const own = metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'kubeloom-page');
    expect([own.operation, own.fieldsV1]).toEqual(['Apply', { 'f:data': { 'f:a': {} } }]);
  });

  test('of two conflicts, one is forced and one is kept', async () => {
    await suite.write('PATCH', `${configMaps}/both?fieldManager=one`, applied('both', { a: '1', b: '2' }), apply);
    await suite.go('#/object/-/configmaps/default/both');
    await line('a: "1"').waitFor();
    await suite.page.keyboard.press('e');
    await edit('a: "1"', '"8"');
    await edit('b: "2"', '"9"');
    await button('Dry run').click();
    const conflict = (field: string) => suite.page.getByRole('group', { name: field });
    await conflict('.data.a').getByText('Keep theirs: 1').waitFor();
    await conflict('.data.b').getByText('Force mine: 9').click();
    await button('Dry run').click();
    await suite.page.locator('.diff .added').filter({ hasText: 'b: "9"' }).waitFor();
    await button('Apply').click();
    await line('b: "9"').waitFor();
    expect((await suite.read(`${configMaps}/both`)).data).toEqual({ a: '1', b: '9' });
  });

  test('a refused edit has the words of the server', async () => {
    await suite.write('POST', configMaps, applied('refused', { a: '1' }));
    await suite.go('#/object/-/configmaps/default/refused');
    await line('a: "1"').waitFor();
    await suite.page.keyboard.press('e');
    await edit('a: "1"', '[1]');
    await button('Dry run').click();
    await suite.page.getByRole('alert').filter({ hasText: '.data.a: expected string' }).waitFor();
  });

  test('revisions name their writer, and show what each changed', async () => {
    await suite.write('POST', `${configMaps}?fieldManager=first`, applied('revised', { a: 'old' }));
    await suite.write('PATCH', `${configMaps}/revised?fieldManager=second`, { data: { a: 'new' } }, 'application/merge-patch+json');
    await suite.go('#/object/-/configmaps/default/revised?tab=revisions');
    const revisions = suite.page.getByRole('list', { name: 'Revisions' }).getByRole('button');
    await revisions.filter({ hasText: 'second' }).waitFor();
    expect(await revisions.count()).toBe(2);
    await suite.page.locator('.diff .removed').filter({ hasText: 'a: old' }).waitFor();
    await suite.page.locator('.diff .added').filter({ hasText: 'a: new' }).waitFor();
    await suite.page.keyboard.press('j');
    await suite.page
      .getByRole('region', { name: /^Revision/ })
      .getByText('name: revised')
      .waitFor();
    await suite.write('DELETE', `${configMaps}/revised`);
    await revisions.filter({ hasText: 'deleted' }).waitFor();
  });

  test('owners, dependents and events are beside the object', async () => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template };
    await suite.write('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec });
    await suite.go('#/object/apps/deployments/default/web?tab=events');
    await suite.page.getByRole('gridcell', { name: 'ScalingReplicaSet' }).first().waitFor();
    await suite.go('#/resources/-/pods');
    await suite.page.getByRole('row').filter({ hasText: 'web-' }).nth(1).waitFor();
    await suite.go('#/object/apps/deployments/default/web?tab=graph');
    const graph = suite.page.getByRole('region', { name: 'Owners and dependents' });
    await graph.getByText('ReplicaSet').waitFor();
    expect(await graph.getByText('Pod', { exact: true }).count()).toBe(2);
    await graph.getByText('Pod', { exact: true }).first().click();
    await suite.page.getByRole('heading', { name: /^web-/ }).waitFor();
  });

  test('a script in any text of an object is text in all of its views', async () => {
    const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const metadata = { name: 'scripted', annotations: { 'kubeloom.dev/a': script } };
    await suite.write('POST', `${configMaps}?fieldManager=${encodeURIComponent(script)}`, { metadata, data: { a: script } });
    for (const tab of ['yaml', 'revisions', 'events', 'graph']) {
      await suite.go(`#/object/-/configmaps/default/scripted?tab=${tab}`);
      await suite.page
        .getByRole('tabpanel')
        .getByText(tab === 'events' ? 'There are no events here' : tab === 'graph' ? 'Nothing owns' : 'onerror')
        .first()
        .waitFor();
    }
    expect(await suite.page.title()).toBe('Kubeloom');
    expect(suite.complaints).toEqual([]);
  });
});
