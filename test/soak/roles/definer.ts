import { setTimeout } from 'node:timers/promises';
import type { World } from '../world.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'soak.example.com';

/** Creates and deletes definitions, with objects and a schema change in between. */
export async function definer(world: World): Promise<void> {
  const kind = `Soak${world.random.between(1, 1_000)}`;
  const plural = `${kind.toLowerCase()}s`;
  const name = `${plural}.${group}`;
  const text = { type: 'string', maxLength: 100, pattern: '^[a-z]*$' };
  const spec = {
    type: 'object',
    properties: { text, list: { type: 'array', maxItems: 10, items: { type: 'integer' } } },
    'x-kubernetes-validations': [{ rule: '!has(self.list) || self.list.all(x, x >= 0)' }],
  };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  await world.send('POST', definitions, { metadata: { name }, spec: { group, scope: 'Namespaced', names, versions } });
  const path = `/apis/${group}/v1/namespaces/default/${plural}`;
  for (let tries = 0; tries < 100 && (await world.send('GET', path)).status !== 200; tries++) await setTimeout(20);
  for (let at = 0; at < 5; at++) {
    const object = { apiVersion: `${group}/v1`, kind, metadata: { name: `o${at}` } };
    await world.send('POST', path, { ...object, spec: { text: 'abc', list: [at, at - 1] } });
  }
  const patch = { spec: { names: { ...names, shortNames: [kind.toLowerCase().slice(0, 6)] } } };
  await world.send('PATCH', `${definitions}/${name}`, patch, 'application/merge-patch+json');
  await world.send('GET', `/openapi/v3/apis/${group}/v1`);
  await world.send('GET', path);
  await world.send('DELETE', `${definitions}/${name}`);
  await setTimeout(100);
}
