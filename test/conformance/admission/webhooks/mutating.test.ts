import { describe, expect, test } from '@jest/globals';
import { deny, patching, rule } from '../../../support/admission-webhook.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forSuite();

describe('a mutating webhook', () => {
  test('changes an object that is created, updated, patched and applied', async () => {
    const namespace = await fixture.namespace();
    const hook = patching({ op: 'add', path: '/data/mutated', value: 'yes' });
    await fixture.configure('Mutating', 'all-writes', { rules: [rule('configmaps', 'CREATE UPDATE')], hook }, namespace);
    const data = { own: '1' };
    const created = await fixture.create(configMaps(namespace), configMap('one', { data }));
    expect(created.data).toEqual({ own: '1', mutated: 'yes' });
    const at = configMaps(namespace, 'one');
    const put = await fixture.send('PUT', at, configMap('one', { data }));
    expect(put.json.data).toEqual({ own: '1', mutated: 'yes' });
    const patch = await fixture.send('PATCH', at, { data: { mutated: null, own: '2' } }, 'application/merge-patch+json');
    expect(patch.json.data).toEqual({ own: '2', mutated: 'yes' });
    const apply = await fixture.send(
      'PATCH',
      `${configMaps(namespace, 'two')}?fieldManager=me`,
      configMap('two', { data }),
      'application/apply-patch+yaml',
    );
    expect(apply.json.data).toEqual({ own: '1', mutated: 'yes' });
  });

  test('denies', async () => {
    const namespace = await fixture.namespace();
    await fixture.configure('Mutating', 'denies', { rules: [rule('configmaps')], hook: deny('because') }, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('one'));
    expect(json).toMatchObject({
      code: 400,
      message: 'admission webhook "denies.example.com" denied the request: because',
    });
  });
});
