import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { HttpClient } from '../support/http-client.ts';
import { describeShared } from '../support/shared.ts';
import { TestServer } from '../support/test-server.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly action: string;
  readonly kind?: string;
  /** The documented status codes. */
  readonly responses: readonly string[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Returns every operation of the OpenAPI v3 documents. */
function operations(folder: string): Operation[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const { paths } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return Object.entries<Record<string, AnyJson>>(paths).flatMap(([path, item]) =>
        methods
          .filter((method) => item[method] !== undefined)
          .map((method) => ({
            method: method.toUpperCase(),
            path,
            action: item[method]['x-kubernetes-action'] ?? 'discover',
            kind: item[method]['x-kubernetes-group-version-kind']?.kind,
            responses: Object.keys(item[method].responses),
          })),
      );
    });
}

const fill = (path: string): string => path.replace('{namespace}', 'default').replace('{name}', 'absent').replace('{path}', 'some/path');

describeShared('operations of v1.35', (shared) => {
  const suite = TestServer.forSuite();

  const all = operations(join(shared, 'schemas', 'v1.35', 'openapi'));
  const actions = [...new Set(all.map((operation) => operation.action))];

  test.each(actions)('%s responds as its document specifies', async (action) => {
    const wrong: string[] = [];
    for (const operation of all.filter((one) => one.action === action)) {
      const problem = await probe(suite.http, operation);
      if (problem !== undefined) wrong.push(`${operation.method} ${operation.path}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  });

  test('number 963, with each connect path counted once for all its methods', () => {
    const named = all.filter(({ action }) => action !== 'discover');
    expect(new Set(named.map(({ action, method, path }) => `${action === 'connect' ? action : method} ${path}`)).size).toBe(963);
  });
});

/** Expects the response for an absent object, or an empty list. Returns a problem, or undefined. */
async function probe(client: HttpClient, operation: Operation): Promise<string | undefined> {
  const path = fill(operation.path);
  switch (operation.action) {
    case 'discover': {
      const { status, json } = await client.get(path);
      return status === 200 && /^API(Resource|Group|Versions)/.test(json.kind) ? undefined : `${status} ${json?.kind}`;
    }
    case 'list': {
      const { status, json } = await client.get(path);
      return status === 200 && json.kind.endsWith('List') && Array.isArray(json.items) ? undefined : `${status} ${json?.kind}`;
    }
    case 'watch':
    case 'watchlist': {
      const { status } = await client.get(`${path}?timeoutSeconds=1&resourceVersion=0`, { headOnly: true });
      return status === 200 ? undefined : String(status);
    }
    case 'post': {
      // an invalid binding gets a 500, as upstream
      const body = path.endsWith('/bindings') ? { metadata: { name: 'absent' }, target: { name: 'node' } } : {};
      const { status, json } = await client.send('POST', path, JSON.stringify(body), 'application/json');
      return isStatus(json) && [201, 400, 404, 422].includes(status)
        ? undefined
        : status === 201
          ? undefined
          : describeAnswer(status, json);
    }
    case 'put': {
      const { status, json } = await client.send('PUT', path, '{}', 'application/json');
      return isStatus(json) && [400, 404, 409, 422].includes(status) ? undefined : describeAnswer(status, json);
    }
    case 'patch': {
      const { status, json } = await client.send('PATCH', path, '{}', 'application/merge-patch+json');
      return status === 404 && isStatus(json) && json.details?.name === 'absent' ? undefined : describeAnswer(status, json);
    }
    case 'get':
    case 'delete': {
      const { status, json } = await client.send(operation.method, path);
      return status === 404 && isStatus(json) && json.details?.name === 'absent' ? undefined : describeAnswer(status, json);
    }
    case 'deletecollection': {
      const { status, json } = await client.send('DELETE', `${path}?labelSelector=none%3Dsuch`);
      return status === 200 ? undefined : describeAnswer(status, json);
    }
    case 'connect': {
      const { status } = await client.send(operation.method, path);
      return [400, 404, 500, 503].includes(status) ? undefined : String(status);
    }
    default:
      return `an action this test does not know: ${operation.action}`;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
type AnyJson = any;

const isStatus = (json: AnyJson): boolean => json?.kind === 'Status' && json.apiVersion === 'v1';
const describeAnswer = (status: number, json: AnyJson): string => `${status} ${JSON.stringify(json)?.slice(0, 200)}`;
