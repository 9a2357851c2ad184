import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromUnstructured, type KubeObject } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import type { TestObject } from '../support/test-object.ts';
import { TestServer } from '../support/test-server.ts';
import { type Draw, SchemaValues } from './schema-values.ts';
import { collectionOf, readSubjects, type Subject } from './subjects.ts';
import { plainWords } from './words.ts';

/** The number of rounds for each direction of a pair. */
const rounds = Number(process.env.ROUNDS ?? 250);
const seed = Number(process.env.SEED ?? 20_261);

/**
 * Kinds with fields that other versions cannot express, also upstream. Their objects are converted once before the
 * test.
 */
const lossy = [
  // absent values of metrics become "0", and types of targets follow from their values
  'autoscaling/v2 HorizontalPodAutoscaler',
  // the target defaults to 80 %, and annotations become metrics
  'autoscaling/v1 HorizontalPodAutoscaler',
  // a device without `basic` gets an empty one
  'resource.k8s.io/v1beta1 ResourceSlice',
  // empty node names are absent in other versions
  'resource.k8s.io/v1 ResourceSlice',
  'resource.k8s.io/v1beta2 ResourceSlice',
];

const subjects = await readSubjects();
const keyOf = ({ definition: { resource, storageGroup, group } }: Subject): string => `${storageGroup ?? group}/${resource}`;
const stored = subjects.filter(({ definition }) => definition.stored);
const pairs = stored.flatMap((from) => stored.filter((to) => to !== from && keyOf(to) === keyOf(from)).map((to) => ({ from, to })));

const convert = (object: KubeObject, from: Subject, to: Subject): KubeObject =>
  to.definition.conversion.fromStorage(from.definition.conversion.toStorage(structuredClone(object)));

/** Decodes an object like a request's body. */
function decoded({ definition: { type } }: Subject, object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  return { ...type.prune(object, new PruneContext()), apiVersion, kind };
}

describe.each(pairs)('$from.title, at $to.apiVersion and back', ({ from, to }) => {
  const values = new SchemaValues(from.document, { wild: false, text: plainWords });

  function generated(draw: Draw): KubeObject {
    const object = decoded(from, fromUnstructured({ ...values.object(from.definition, draw) }));
    from.definition.type.setDefaults(object);
    return lossy.includes(from.title) ? decoded(from, convert(convert(object, from, to), to, from)) : object;
  }

  test('is the same', () => {
    const property = fc.property(fc.gen(), (gen) => {
      const object = generated((max) => gen(fc.nat, max));
      const other = convert(object, from, to);
      const context = new PruneContext({ collectUnknown: true });
      const { apiVersion, kind, metadata } = other;
      expect({ ...to.definition.type.prune(other, context), apiVersion, kind, metadata }).toEqual(other);
      expect(context.strictErrors).toEqual([]);
      expect(decoded(from, convert(other, to, from))).toEqual(object);
    });
    fc.assert(property, { numRuns: rounds, seed });
  });
});

describe('over HTTP', () => {
  const server = TestServer.forSuite({ runtimeConfig: ['api/all=true'] });

  /** Returns an object without the fields that each write sets. */
  const contentOf = ({ metadata, ...object }: TestObject): TestObject => {
    const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata;
    return { ...object, metadata: kept };
  };

  // a controller writes ServiceCIDRs meanwhile
  const undisturbed = pairs.filter(({ from }) => from.definition.kind !== 'ServiceCIDR');

  test.each(undisturbed)('$from.title is the same after it is written back at $to.apiVersion', async ({ from, to }) => {
    const send = async (method: string, path: string, body: object): Promise<TestObject> => {
      const { status, json } = await server.http.send(method, path, JSON.stringify(body), 'application/json');
      expect([status, status < 300 ? '' : json.message]).toEqual([method === 'POST' ? 201 : 200, '']);
      return json;
    };
    const { name = `example-${from.definition.version}` } = from.example.metadata;
    const created = await send('POST', collectionOf(from), { ...from.example, metadata: { name } });
    const { json: other } = await server.http.get(`${collectionOf(to)}/${name}`);
    await send('PUT', `${collectionOf(to)}/${name}`, other);
    const { json: read } = await server.http.get(`${collectionOf(from)}/${name}`);
    expect(contentOf(read)).toEqual(contentOf(created));
    await server.http.send('DELETE', `${collectionOf(from)}/${name}`);
  });
});
