import { describe, expect, test } from '@jest/globals';
import { allow, type Hook, rule } from '../../../support/admission-webhook.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forSuite();
const rules = [rule('configmaps')];
const patch = (...operations: unknown[]): string => Buffer.from(JSON.stringify(operations)).toString('base64');
const sent =
  (body: unknown, status = 200): Hook =>
  () => ({ sent: { status, body } });
const answered =
  (change: (review: { response: object; kind?: string; apiVersion?: string }) => unknown): Hook =>
  ({ uid }, { kind, apiVersion }) => ({
    sent: { body: change({ kind, apiVersion, response: { uid, allowed: true } }) },
  });

describe.each(['Mutating', 'Validating'] as const)('the answer of a %s webhook', (step) => {
  async function refusal(hook: Hook, fields = {}): Promise<{ code: number; message: string; reason?: string }> {
    const namespace = await fixture.namespace();
    const name = `${step.toLowerCase()}-${namespace}`;
    await fixture.configure(step, name, { rules, hook, ...fields }, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('one'));
    const status = { ...json, message: json.message?.replaceAll(name, 'NAME') };
    expect((await fixture.send('DELETE', fixture.path(step, name))).status).toBe(200);
    const stored = await fixture.send('GET', configMaps(namespace, 'one'));
    expect(stored.status).toBe(json.kind === 'ConfigMap' ? 200 : 404);
    return status;
  }

  test.each<[about: string, status: object | undefined, message: string, code: number, reason: string | undefined]>([
    ['a message', { message: 'no way' }, 'denied the request: no way', 400, undefined],
    ['a reason', { reason: 'Forbidden', code: 403 }, 'denied the request: Forbidden', 403, 'Forbidden'],
    ['both', { reason: 'Invalid', message: 'bad', code: 422 }, 'denied the request: bad', 422, 'Invalid'],
    ['nothing', undefined, 'denied the request without explanation', 400, undefined],
    ['a code of success', { code: 200, status: 'Success', message: 'x' }, 'denied the request: x', 400, undefined],
    ['a code that HTTP does not have', { code: 4000, message: 'x' }, 'denied the request: x', 999, undefined],
  ])('that denies with %s is what the client gets', async (_about, status, message, code, reason) => {
    const refused = await refusal(() => ({ allowed: false, status }));
    expect(refused).toMatchObject({
      status: 'Failure',
      code,
      message: `admission webhook "NAME.example.com" ${message}`,
    });
    expect(refused.reason).toBe(reason);
  });

  const failed = 'Internal error occurred: failed calling webhook "NAME.example.com": ';
  test.each<[about: string, hook: Hook, message: string | RegExp]>([
    ['an error', sent('boom', 500), 'failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding'],
    [
      'a Status',
      sent({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'away', code: 503 }, 503),
      'failed to call webhook: away',
    ],
    ['garbage', sent('nonsense'), /^failed to call webhook: /],
    ['nothing', sent(''), /^failed to call webhook: 0-length response with status code: 200/],
    [
      'another kind',
      sent({ kind: 'Pod', apiVersion: 'v1' }),
      'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/util/webhook/client.go:71"',
    ],
    [
      'another version',
      answered((review) => ({ ...review, apiVersion: 'admission.k8s.io/v1beta1' })),
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'a wrong type',
      answered((review) => ({ ...review, response: { ...review.response, allowed: 'yes' } })),
      /^failed to call webhook: json: cannot unmarshal string into Go struct field .*allowed of type bool$/,
    ],
    [
      'no response',
      answered(({ response: _response, ...review }) => review),
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'another uid',
      answered((review) => ({ ...review, response: { ...review.response, uid: 'x' } })),
      /^received invalid webhook response: expected response.uid="[0-9a-f-]+", got "x"$/,
    ],
    [
      'no kind',
      answered(({ response }) => ({ response })),
      'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    ['a broken connection', () => ({ sent: 'reset' }), /^failed to call webhook: Post "https:.*\?timeout=5s": EOF$/],
  ])('that is %s makes the write fail, or goes for an allowance if failures are ignored', async (_about, hook, message) => {
    const text = (await refusal(hook)).message;
    expect(text.slice(0, failed.length)).toBe(failed);
    const reason = text.slice(failed.length);
    if (typeof message === 'string') expect(reason).toBe(message);
    else expect(reason).toMatch(message);
    expect(await refusal(hook, { failurePolicy: 'Ignore' })).toMatchObject({ kind: 'ConfigMap' });
  });

  test('that is much larger than the request makes the write fail', async () => {
    const huge = answered((review) => ({ ...review, padding: 'x'.repeat(2 * 1024 * 1024) }));
    expect((await refusal(huge)).message).toMatch(/failed to call webhook: unexpected error .*: the response is larger than/);
  });

  test('that does not come in time makes the write fail', async () => {
    const hang: Hook = () => ({ sent: 'hang' });
    const { code, message } = await refusal(hang, { timeoutSeconds: 1 });
    expect(code).toBe(500);
    expect(message).toMatch(/failed to call webhook: Post "https:.*\?timeout=1s": context deadline exceeded$/);
    expect(await refusal(hang, { timeoutSeconds: 1, failurePolicy: 'Ignore' })).toMatchObject({ kind: 'ConfigMap' });
  });

  test('has warnings for the client', async () => {
    const namespace = await fixture.namespace();
    const name = `warns-${step.toLowerCase()}`;
    const hook: Hook = () => ({ allowed: true, warnings: ['mind the gap', 'twice', 'twice'] });
    await fixture.configure(step, name, { rules, hook }, namespace);
    const { headers } = await fixture.send('POST', configMaps(namespace), configMap('one'));
    expect(headers.warning).toBe('299 - "mind the gap", 299 - "twice"');
  });

  test('is not asked for on a dry run if the webhook has side effects', async () => {
    const namespace = await fixture.namespace();
    const name = `effects-${step.toLowerCase()}`;
    await fixture.configure(step, name, { rules, hook: allow, sideEffects: 'NoneOnDryRun' }, namespace);
    expect((await fixture.send('POST', `${configMaps(namespace)}?dryRun=All`, configMap('one'))).status).toBe(201);
    expect(fixture.hooks.take(`/${name}`)).toMatchObject([{ dryRun: true }]);
  });
});

describe('the patch of a webhook', () => {
  async function mutated(response: object): Promise<{ message?: string; data?: object }> {
    const namespace = await fixture.namespace();
    const hook: Hook = () => ({ allowed: true, ...response });
    await fixture.configure('Mutating', `patch-${namespace}`, { rules, hook }, namespace);
    const body = configMap('one', { data: { a: '1' } });
    const { json } = await fixture.send('POST', configMaps(namespace), body);
    return { ...json, message: json.message?.replaceAll(`patch-${namespace}`, 'NAME') };
  }

  const failed = 'Internal error occurred: failed calling webhook "NAME.example.com": ';
  test.each<[about: string, response: object, message: string | RegExp]>([
    [
      'without a type',
      { patch: undefined, patchType: 'JSONPatch' },
      `${failed}received invalid webhook response: webhook returned response.patchType but not response.patch`,
    ],
    ['of another type', { patchType: 'MergePatch', raw: patch({}) }, `${failed}unsupported patch type "MergePatch"`],
    [
      'that is an object',
      { raw: Buffer.from('{}').toString('base64'), patchType: 'JSONPatch' },
      `${failed}received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch`,
    ],
    [
      'that does not fit',
      { raw: patch({ op: 'remove', path: '/data/none' }), patchType: 'JSONPatch' },
      /^Internal error occurred: .*remove.*missing value$/,
    ],
    [
      'that fails a test',
      { raw: patch({ op: 'test', path: '/data/a', value: '2' }), patchType: 'JSONPatch' },
      'Internal error occurred: testing value /data/a failed: test failed',
    ],
    [
      'that breaks a type',
      { raw: patch({ op: 'replace', path: '/data', value: 'text' }), patchType: 'JSONPatch' },
      /^Internal error occurred: json: cannot unmarshal string into Go struct field ConfigMap.data of type map\[string\]string$/,
    ],
    [
      'that makes another kind of it',
      { raw: patch({ op: 'replace', path: '/kind', value: 'Secret' }), patchType: 'JSONPatch' },
      /^Internal error occurred: converting .* unknown conversion$/,
    ],
    [
      'that replaces everything by a list',
      { raw: patch({ op: 'replace', path: '', value: [] }), patchType: 'JSONPatch' },
      /^Internal error occurred: /,
    ],
    [
      'that makes it invalid',
      { raw: patch({ op: 'add', path: '/metadata/labels', value: { 'a/b/c': '' } }), patchType: 'JSONPatch' },
      /^ConfigMap "one" is invalid: metadata.labels: /,
    ],
    [
      'that changes its namespace',
      { raw: patch({ op: 'replace', path: '/metadata/namespace', value: 'default' }), patchType: 'JSONPatch' },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('%s is an error, and nothing is stored', async (_about, { raw, ...response }: { raw?: string }, message) => {
    const status = await mutated({ ...response, ...(raw && { patch: raw }) });
    if (typeof message === 'string') expect(status.message).toBe(message);
    else expect(status.message).toMatch(message);
  });
});
