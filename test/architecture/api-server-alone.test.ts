import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { groups } from './floors.ts';

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
const optional = groups.slice(1).flatMap(({ rooms }) => Object.keys(rooms));

/** A process that opens an API server, writes and reads, and prints what the server says. */
const program = `
  import { register } from 'node:module';
  register(${url('../support/unloadable.mjs')}, { data: { pattern: '/runtime/(${optional.join('|')})/' } });
  const { completeConfig } = await import(${url('../../runtime/server/config.ts')});
  const { openApiServer } = await import(${url('../../runtime/server/api-server.ts')});
  const { serving } = await import(${url('../../runtime/server/parts/serving.ts')});
  const { inProcessFetch } = await import(${url('../../runtime/serving/in-process-fetch.ts')});

  const server = await openApiServer(await completeConfig({ controllers: [''] }));
  await server.announce();
  const { connect } = server.assembly.get(serving);
  const ask = async (method, path, body) => {
    const headers = { 'Content-Type': method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json' };
    const response = await inProcessFetch(connect, path, { method, headers, body: body && JSON.stringify(body) });
    console.log(method, path, response.status);
    return response.text();
  };
  const place = { name: 'a', namespace: 'default' };
  const path = '/api/v1/namespaces/default/configmaps';
  await ask('GET', '/readyz');
  await ask('POST', path, { metadata: place, data: { a: '1' } });
  await ask('PATCH', path + '/a?fieldManager=test', { apiVersion: 'v1', kind: 'ConfigMap', metadata: place, data: { b: '2' } });
  await ask('GET', path);
  await ask('DELETE', path + '/a');
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names, scope: 'Cluster', versions: [version] },
  });
  await ask('GET', '/metrics');
  try {
    await import(${url('../../runtime/simulation/simulated-kubelets.ts')});
    console.log('the simulation was loaded');
  } catch {
    console.log('the simulation cannot be loaded');
  }
  await server.shutdown.close();
  console.log('closed');
`;

test('an API server serves without controllers, simulation, test kit and command', () => {
  const loader = new URL('../support/ts-loader.mjs', import.meta.url).href;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', loader, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { PATH: process.env.PATH },
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'GET /readyz 200',
    'POST /api/v1/namespaces/default/configmaps 201',
    'PATCH /api/v1/namespaces/default/configmaps/a?fieldManager=test 200',
    'GET /api/v1/namespaces/default/configmaps 200',
    'DELETE /api/v1/namespaces/default/configmaps/a 200',
    'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions 201',
    'GET /metrics 200',
    'the simulation cannot be loaded',
    'closed',
    '',
  ]);
});
