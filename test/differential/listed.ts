import { listedDifferences } from '../support/listed-differences.ts';
import type { Difference } from './causes.ts';
import type { Outcome } from './outcome.ts';
import type { Servers } from './servers.ts';
import type { Side } from './side.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'listed.example.com';
const objects = `/apis/${group}/v1/foos`;
const type = { apiVersion: `${group}/v1`, kind: 'Foo' };

/** The status of a connection that the server closed. */
const noResponse = 0;

/**
 * Sends the requests of docs/differences.md to both servers. A response that contradicts the document is a difference.
 */
export async function compareListed({ sides }: Servers): Promise<Outcome> {
  const differences: Difference[] = [];
  const listed = listedDifferences(type);
  try {
    await Promise.all(sides.map(define));
    for (const [at, { request, method, path, body, upstream, own, ...headers }] of listed.entries()) {
      const send = (side: Side): Promise<number> =>
        side.send(method, objects + path, body, headers).then(
          ({ status }) => status,
          () => noResponse,
        );
      const [a, b] = await Promise.all(sides.map(send));
      // the reference links another json-patch, which panics less often
      const wanted = [upstream ?? a, own];
      if (a === wanted[0] && b === own) continue;
      const difference = { kind: 'listed', op: 'listed', seed: 0, step: at + 1, request };
      differences.push({ ...difference, path: `wanted ${wanted.join(' and ')}`, a: String(a), b: String(b) });
    }
  } finally {
    await Promise.all(sides.map((side) => side.send('DELETE', `${definitions}/foos.${group}`)));
  }
  return { operations: listed.length, rounds: 0, differences, errors: [] };
}

async function define(side: Side): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `foos.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  await side.send('POST', definitions, JSON.stringify(crd));
  while ((await side.send('GET', objects)).status !== 200) await new Promise((done) => setTimeout(done, 100));
  await side.send('POST', objects, JSON.stringify({ ...type, metadata: { name: 'x' } }));
}
