import { describe, expect, test } from '@jest/globals';
import { allow, deny, type Hook, patching, rule } from '../../../support/admission-webhook.ts';
import { configMap, configMaps, type HookOptions, WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forSuite();
const rules = [rule('configmaps')];
const add = (key: string): Hook => patching({ op: 'add', path: `/data/${key}`, value: 'yes' });
const data = { own: '1' };

/** Creates configurations with one webhook each, in the order of their names. */
async function configured(namespace: string, hooks: Readonly<Record<string, Partial<HookOptions>>>): Promise<void> {
  for (const [name, fields] of Object.entries(hooks)) {
    await fixture.configure('Mutating', `${namespace}-${name}`, { rules, ...fields }, namespace);
  }
}

describe('mutating webhooks', () => {
  test('are called in the order of their configurations, and each sees what those before have done', async () => {
    const namespace = await fixture.namespace();
    await configured(namespace, { b: { hook: add('second') }, a: { hook: add('first') } });
    const made = await fixture.create(configMaps(namespace), configMap('one', { data }));
    expect(Object.keys(made.data)).toEqual(['first', 'own', 'second']);
    expect(fixture.hooks.take(`/${namespace}-a`)[0].object.data).toEqual(data);
    expect(fixture.hooks.take(`/${namespace}-b`)[0].object.data).toEqual({ ...data, first: 'yes' });
  });

  test('are called again, once, if they want that and a later one has changed the object', async () => {
    const namespace = await fixture.namespace();
    await configured(namespace, {
      a: { hook: allow, reinvocationPolicy: 'IfNeeded' },
      b: { hook: allow },
      c: { hook: add('c'), reinvocationPolicy: 'IfNeeded' },
    });
    await fixture.create(configMaps(namespace), configMap('one', { data }));
    const seen = (name: string) => fixture.hooks.take(`/${namespace}-${name}`).map(({ object }) => object.data.c);
    expect([seen('a'), seen('b'), seen('c')]).toEqual([[undefined, 'yes'], [undefined], [undefined]]);
  });

  test('are not called again if nothing has changed after them', async () => {
    const namespace = await fixture.namespace();
    await configured(namespace, {
      a: { hook: add('a'), reinvocationPolicy: 'IfNeeded' },
      b: { hook: patching({ op: 'add', path: '/data/own', value: '1' }), reinvocationPolicy: 'IfNeeded' },
    });
    await fixture.create(configMaps(namespace), configMap('one', { data }));
    expect(['a', 'b'].map((name) => fixture.hooks.take(`/${namespace}-${name}`).length)).toEqual([1, 1]);
  });

  test('are selected by the labels that others have set', async () => {
    const namespace = await fixture.namespace();
    const label = (value: string): Hook => patching({ op: 'add', path: '/metadata/labels', value: { color: value } });
    const objectSelector = { matchLabels: { color: 'blue' } };
    await configured(namespace, { a: { hook: label('blue') }, b: { hook: add('seen'), objectSelector } });
    expect((await fixture.create(configMaps(namespace), configMap('one', { data }))).data.seen).toBe('yes');
  });

  test('that break managed fields do not change them, and the client is warned', async () => {
    const namespace = await fixture.namespace();
    const hook = patching({ op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Invent' });
    await configured(namespace, { a: { hook } });
    const { json, headers } = await fixture.send('POST', configMaps(namespace), configMap('one', { data }));
    expect(json.metadata.managedFields).toMatchObject([{ operation: 'Update' }]);
    expect(headers.warning).toContain(
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`',
    );
  });

  test('may change the name of a new object, and not that of an existing one', async () => {
    const namespace = await fixture.namespace();
    const hook = patching({ op: 'replace', path: '/metadata/name', value: 'other' });
    await configured(namespace, { a: { hook, rules: [rule('configmaps', 'CREATE UPDATE')] } });
    expect((await fixture.create(configMaps(namespace), configMap('one', { data }))).metadata.name).toBe('other');
    await fixture.send('DELETE', fixture.path('Mutating', `${namespace}-a`));
    await fixture.create(configMaps(namespace), configMap('one', { data }));
    await configured(namespace, { b: { hook, rules: [rule('configmaps', 'UPDATE')] } });
    const { status } = await fixture.send('PUT', configMaps(namespace, 'one'), configMap('one', { data: { a: '2' } }));
    expect(status).toBe(422);
    expect((await fixture.send('GET', configMaps(namespace, 'one'))).json.data).toEqual(data);
  });

  test('change objects at the version that they know', async () => {
    const namespace = await fixture.namespace();
    const metric = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 55 } },
    };
    const hook = patching({ op: 'add', path: '/spec/metrics', value: [metric] });
    const v2 = [rule('horizontalpodautoscalers', 'CREATE', 'autoscaling/v2')];
    await configured(namespace, { a: { hook, rules: v2 } });
    const made = await fixture.create(`/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`, {
      metadata: { name: 'one' },
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
    });
    expect([made.apiVersion, made.spec.targetCPUUtilizationPercentage]).toEqual(['autoscaling/v1', 55]);
  });
});

describe('validating webhooks', () => {
  test('are called at the same time, and see the object as it will be stored', async () => {
    const namespace = await fixture.namespace();
    await configured(namespace, { mutates: { hook: add('added') } });
    let arrived = 0;
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hook: Hook = async ({ object }) => {
      if (++arrived === 2) release();
      await both;
      return { allowed: object.data.added === 'yes' };
    };
    for (const name of ['x', 'y']) await fixture.configure('Validating', `${namespace}-${name}`, { rules, hook }, namespace);
    await fixture.create(configMaps(namespace), configMap('one', { data }));
  });

  test('deny by the first answer', async () => {
    const namespace = await fixture.namespace();
    let denied = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      denied = resolve;
    });
    const slow: Hook = async () => {
      await after;
      return { allowed: false, status: { message: 'slow' } };
    };
    /** Resolves when the server enforces the first denial. */
    const rejected = async (): Promise<void> => {
      const counted = new RegExp(`^apiserver_admission_webhook_rejection_count\\{.*"${namespace}-b[."].*\\} 1$`, 'm');
      while (!counted.test((await fixture.suite.http.get('/metrics')).body.toString())) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const quick: Hook = (...request) => {
      void rejected().then(denied);
      return deny('quick')(...request);
    };
    await fixture.configure('Validating', `${namespace}-a`, { rules, hook: slow }, namespace);
    await fixture.configure('Validating', `${namespace}-b`, { rules, hook: quick }, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('one', { data }));
    expect(json.message).toContain('denied the request: quick');
  });
});

describe('match conditions', () => {
  test.each<[about: string, expression: string, fields: object, calls: number | RegExp]>([
    ['that hold', "request.operation == 'CREATE' && object.data.own == '1'", {}, 1],
    ['that do not hold', "object.data.own == '2'", {}, 0],
    ['that ask the authorizer', "authorizer.group('').resource('configmaps').namespace('x').check('get').allowed()", {}, 1],
    ['that fail', 'object.data.none == "1"', {}, /forbidden: expression 'object.data.none == "1"' resulted in error: no such key/],
    ['that fail, if failures are ignored', 'object.data.none == "1"', { failurePolicy: 'Ignore' }, 0],
  ])('%s', async (_about, expression, fields, calls) => {
    const namespace = await fixture.namespace();
    const matchConditions = [{ name: 'one', expression }];
    for (const kind of ['Mutating', 'Validating'] as const) {
      const name = `${namespace}-${kind.toLowerCase()}`;
      await fixture.configure(kind, name, { rules, hook: allow, matchConditions, ...fields }, namespace);
      const { json } = await fixture.send('POST', configMaps(namespace), configMap(name, { data }));
      expect((await fixture.send('DELETE', fixture.path(kind, name))).status).toBe(200);
      if (calls instanceof RegExp) expect(json).toMatchObject({ code: 403, message: expect.stringMatching(calls) });
      else expect([json.kind, fixture.hooks.take(`/${name}`).length]).toEqual(['ConfigMap', calls]);
    }
  });
});
