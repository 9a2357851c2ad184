import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const notFound = 'the server could not find the requested resource';
const notAllowed = 'the server does not allow this method on the requested resource';
const noRoute = '404 page not found\n';
const widgets = '/apis/paths.example.io/v1/namespaces/default/widgets';

describe('paths without a resource', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const made = await fixture.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.paths.example.io' },
      spec: {
        group: 'paths.example.io',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
      },
    });
    expect(made.status).toBe(201);
    await fixture.served(widgets);
  });
  afterAll(() => fixture.close());

  const answerTo = async (method: string, path: string) => {
    const { status, json, body, headers } = await fixture.http.send(method, path);
    const text = json?.kind === 'Status' ? json.message : body.toString();
    return { status, text, sniffed: headers['x-content-type-options'] };
  };

  test.each([
    ['GET', '/nothing'],
    ['GET', '/apis/nothing'],
    ['GET', '/apis/nothing/v1'],
    ['GET', '/apis/nothing/v1/things'],
    ['GET', '/healthz/'],
    ['GET', '/readyz/nothing'],
    ['GET', '/metrics/'],
    ['GET', '//api/v1/namespaces'],
    ['GET', '/API/v1'],
    ['GET', '/swagger-2.0.0.json'],
    // groups of definitions lack this route
    ['GET', '/apis/paths.example.io/v2'],
    ['GET', '/apis/paths.example.io/v2/widgets'],
    ['GET', '/apis/paths.example.io/v1/gadgets'],
    ['GET', '/apis/paths.example.io/v1/widgets/a'],
    ['POST', '/apis/paths.example.io/v1/widgets'],
    ['DELETE', '/apis/paths.example.io/v1/widgets'],
  ])('%s %s is not found', async (method, path) => {
    expect(await answerTo(method, path)).toEqual({ status: 404, text: noRoute, sniffed: 'nosniff' });
  });

  test.each([
    ['GET', '/api/v2'],
    ['GET', '/api/v2/pods'],
    ['GET', '/api//v1'],
    ['GET', '/api/v1/nothings'],
    ['GET', '/api/v1/Pods'],
    ['GET', '/apis/apps/v9'],
    ['GET', '/apis/apps/v9/deployments'],
    ['GET', '/api/v1/pods/x'],
    ['POST', '/api/v1/pods/x'],
    ['GET', '/api/v1/pods/x/status'],
    ['GET', '/api/v1/namespaces/default/nodes'],
    ['GET', '/api/v1/namespaces/default/pods/x/nothing'],
    ['GET', '/api/v1/bindings'],
    ['GET', '/api/v1/namespaces/default/bindings/x'],
    ['GET', '/apis/authorization.k8s.io/v1/subjectaccessreviews/x'],
    ['GET', '/api/v1/proxy/nodes/x'],
    ['GET', '/api/v1/watch/namespaces/default/pods/x/status'],
    ['GET', '/api/v1/watch/pods/x?timeoutSeconds=1'],
    ['GET', '/api/v1/watch/namespaces/default/nodes?timeoutSeconds=1'],
    ['PATCH', '/api/v1/watch/namespaces/default/pods/x/status'],
    ['GET', '/version/x'],
    ['GET', '/openid/v1/jwks/x'],
  ])('%s %s is not found by the API', async (method, path) => {
    expect(await answerTo(method, path)).toMatchObject({ status: 404, text: notFound });
  });

  test.each([
    ['POST', '/api/v1/pods'],
    ['DELETE', '/api/v1/pods'],
    ['PUT', '/api/v1/namespaces'],
    ['DELETE', '/api/v1/namespaces'],
    ['POST', '/api/v1/namespaces/default'],
    ['POST', '/api/v1/watch/pods'],
    ['GET', '/api/v1/namespaces/default/bindings'],
    ['POST', '/api/v1/namespaces/default/pods/x/status'],
    ['POST', '/api'],
    ['POST', '/api/v1'],
    ['POST', '/apis/apps/v1'],
    ['POST', '/version'],
    ['POST', '/openid/v1/jwks'],
  ])('%s %s is not an allowed method', async (method, path) => {
    expect(await answerTo(method, path)).toMatchObject({ status: 405, text: notAllowed });
  });

  test.each([
    ['POST', '/healthz'],
    ['DELETE', '/readyz/ping'],
    ['GET', '/index.html'],
    ['POST', '/apis'],
    ['POST', '/apis/apps'],
    ['HEAD', '/apis'],
  ])('%s %s responds the same to every method', async (method, path) => {
    expect((await answerTo(method, path)).status).toBe(200);
  });

  test('HEAD is allowed for custom resources only', async () => {
    const paths = ['/api/v1/namespaces', '/version', widgets];
    const seen = await Promise.all(paths.map((path) => fixture.http.send('HEAD', path)));
    expect(seen.map(({ status, body }) => [status, body.length])).toEqual([
      [405, 0],
      [405, 0],
      [200, 0],
    ]);
  });

  const standard = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const handled = `only the following media types are accepted: ${standard}`;
  const routed = (types: string): string => `406: Not Acceptable\n\nAvailable representations: ${types}`;
  test.each([
    ['/version', 'application/xml', routed('application/json')],
    ['/version', 'application/*', routed('application/json')],
    ['/openid/v1/jwks', 'application/json', routed('application/jwk-set+json')],
    ['/api', 'text/plain', routed(standard)],
    ['/api/v1', 'application/*', routed(standard)],
    ['/apis/apps/v1', 'text/*', routed(standard)],
    ['/api/v1/namespaces/default', 'text/plain;q=1', routed(standard)],
    // paths without routes negotiate by themselves
    ['/apis', 'text/plain', handled],
    ['/apis/apps', 'text/plain', handled],
    ['/apis/paths.example.io/v1', 'text/plain', handled],
    [widgets, 'text/plain', handled],
  ])('%s in %s is not acceptable', async (path, accept, message) => {
    expect((await fixture.http.get(path, { headers: { accept } })).json).toMatchObject({ code: 406, message });
  });

  test.each([
    ['/version', 'text/html, */*;q=0.1'],
    ['/version', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    ['/api/v1', 'text/plain, application/yaml'],
    ['/api/v1/namespaces', ''],
    [widgets, 'application/*'],
  ])('%s in "%s" is acceptable', async (path, accept) => {
    expect((await fixture.http.get(path, { headers: { accept } })).status).toBe(200);
  });

  test('a GET that the router knows may say that it has no text', async () => {
    const send = (type: string) => fixture.http.send('GET', '/api/v1', undefined, type);
    expect((await send('text/plain')).json).toMatchObject({ code: 415, message: '415: Unsupported Media Type' });
    expect((await send('application/json; charset=utf-8')).status).toBe(200);
  });

  test('an unknown subresource of a custom resource is NotFound with the name of the object', async () => {
    expect(await answerTo('GET', `${widgets}/a/scale`)).toMatchObject({
      status: 404,
      text: 'widgets.paths.example.io "a" not found',
    });
    expect(await answerTo('DELETE', `${widgets}/a/status`)).toMatchObject({
      status: 405,
      text: 'delete is not supported on resources of kind "widgets.paths.example.io"',
    });
  });
});
