import { setTimeout } from 'node:timers/promises';
import type { HttpClient } from '../support/http-client.ts';

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];
/** The namespaces of every server. */
const ours = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** Milliseconds until everything must be deleted. */
const patience = 60_000;

/** Deletes all objects of a mix and waits until they are deleted. */
export async function sweep(client: HttpClient): Promise<void> {
  for (const path of collections) {
    await client.send('DELETE', `${path}?gracePeriodSeconds=0`, '{}', 'application/json');
  }
  for (const deadline = performance.now() + patience; performance.now() < deadline; await setTimeout(200)) {
    const left = await Promise.all(collections.map(async (path) => (await client.get(path)).json.items.length));
    const { items } = (await client.get('/api/v1/namespaces')).json;
    const names: string[] = items.map((item: { metadata: { name: string } }) => item.metadata.name);
    const others = names.filter((name) => !ours.includes(name));
    for (const name of others) await client.send('DELETE', `/api/v1/namespaces/${name}`);
    if (left.every((count) => count === 0) && others.length === 0) return;
  }
  throw new Error(`some objects remained after ${patience / 1000} s`);
}
