import { newRuleValidator, validateRules } from '../../../runtime/cel/rules/validate.ts';
import type { Json, KubeObject } from '../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../runtime/machinery/schema/json-schema.ts';
import type { FieldError } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import { compileSchema } from '../../../runtime/structural/schema/compile.ts';
import { collectionOf, definition, validated, validatedSchema } from '../definitions.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { newFolder, startKubeloom, type Target } from '../target.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const count = 1_000;
/** The number of first and last operations that are timed one by one. */
const timed = 40;
const manyObjects = 5_000;

const json = { 'content-type': 'application/json' };
const post = (path: string, body: unknown): Buffer => RawConnection.request('POST', path, JSON.stringify(body), json);
const get = (path: string): Buffer => RawConnection.request('GET', path);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;

/**
 * Measures thousands of definitions, objects of one of them against a built-in kind, and the deletion of one with its
 * objects.
 */
export async function crds(report: Report): Promise<void> {
  validation(report);
  const folder = newFolder();
  const server = await startKubeloom(['--storage=lmdb'], { folder, isMeasured: true, keepsFolder: true });
  let empty = 0;
  try {
    empty = await thousand(report, server);
  } finally {
    await server.close();
  }
  const again = await startKubeloom(['--storage=lmdb'], { folder, isMeasured: true });
  report.row(`start with ${count} definitions, lmdb`, ms(again.readyMs), '', 'at most 2 s');
  try {
    await objectOfEach(report, again, empty);
    await besideBuiltIn(report, again);
    await endOfMany(report, again);
  } finally {
    await again.close();
  }
}

/** Returns the bytes that the warmed-up server held before. */
async function thousand(report: Report, server: Target): Promise<number> {
  const [connection, ...others] = await server.open(8);
  // the first one loads code
  await serve(connection, count);
  // traffic also loads code and grows the young generation, which is not the definitions' memory
  await warm([connection, ...others]);
  const before = await server.ask('memory');
  const first: number[] = [];
  for (let index = 0; index < timed; index++) first.push(await serve(connection, index));
  let next = timed;
  const started = performance.now();
  await Promise.all(
    others.map(async (one) => {
      while (next < count - timed) await made(one, post(definitions, definition(next++)));
    }),
  );
  const rate = (1000 * (count - 2 * timed)) / (performance.now() - started);
  report.row(`definitions created, ${others.length} at once`, `${Math.round(rate)}/s`, '', '');
  const last: number[] = [];
  for (let index = count - timed; index < count; index++) last.push(await serve(connection, index));
  const factor = median(last) / median(first);
  const what = 'a definition from its creation until it is served';
  report.row(`${what}: first, last of ${count}`, `${ms(median(first))}, ${ms(median(last))}`, '', 'within 2 x');
  if (factor > 2) report.row(`${what}: the last is slower by`, `${factor.toFixed(1)} x`, '', '');
  const created = await server.ask('memory');
  const size = JSON.stringify(definition(0)).length;
  const each = kilobytes((created.anonymous - before.anonymous) / count);
  report.row(`memory a definition of ${kilobytes(size)}`, each, '', 'at most 300 KB');
  for (const one of [connection, ...others]) one.close();
  return before.anonymous;
}

/** Creates an object of each definition, so that every schema is compiled. */
async function objectOfEach(report: Report, server: Target, empty: number): Promise<void> {
  const connections = await server.open(8);
  let next = 0;
  await Promise.all(
    connections.map(async (one) => {
      while (next < count) {
        const index = next++;
        await made(one, post(collectionOf(index), widget('one', index)));
      }
    }),
  );
  const each = kilobytes(((await server.ask('memory')).anonymous - empty) / count);
  report.row('memory a definition that has an object, after a restart', each, '', 'at most 300 KB');
  for (const one of connections) one.close();
}

async function warm(connections: readonly RawConnection[]): Promise<void> {
  let left = 2 * count;
  const [path, type] = ['/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap' }];
  const next = (): Buffer | undefined => (left-- > 0 ? post(path, { ...type, metadata: { name: `warm-${left}` } }) : undefined);
  await hammer(connections, 60_000, next, [201]);
}

/** Returns the milliseconds until the resource is served. */
async function serve(connection: RawConnection, index: number): Promise<number> {
  const started = performance.now();
  await made(connection, post(definitions, definition(index)));
  while ((await connection.send(get(collectionOf(index)))).status !== 200);
  return performance.now() - started;
}

async function made(connection: RawConnection, request: Buffer): Promise<void> {
  const { status, body } = await connection.send(request, true);
  if (status !== 201) throw new Error(`a creation returned ${status}: ${body}`);
}

const widget = (name: string, index: number): Record<string, unknown> => ({
  apiVersion: `group-${index}.example.com/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: { part0: { name: 'a', image: 'registry.example.com/app:v1', replicas: 3, ports: [{ number: 80 }] } },
});

const pairs = Object.fromEntries(
  Array.from({ length: 24 }, (_, index) => [`key-${index}`, `value ${index} of something that is configured, at length`]),
);

/** Both kinds have the same content, so that only the machinery differs. */
async function besideBuiltIn(report: Report, server: Target): Promise<void> {
  const strings = { type: 'object', additionalProperties: { type: 'string' } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'pairs.bench.example.com' },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural: 'pairs', singular: 'pair', kind: 'Pair', listKind: 'PairList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { data: strings } } },
        },
      ],
    },
  };
  const connections = await server.open(16);
  await made(connections[0], post(definitions, crd));
  const custom = '/apis/bench.example.com/v1/namespaces/default/pairs';
  while ((await connections[0].send(get(custom))).status !== 200);
  const subjects = {
    custom: { path: custom, type: { apiVersion: 'bench.example.com/v1', kind: 'Pair' } },
    builtIn: { path: '/api/v1/namespaces/default/configmaps', type: { apiVersion: 'v1', kind: 'ConfigMap' } },
  };
  let names = 0;
  const object = (type: object): unknown => ({ ...type, metadata: { name: `pairs-${names++}` }, data: pairs });
  for (const { path, type } of Object.values(subjects)) {
    const one = { ...type, metadata: { name: 'pairs' }, data: pairs };
    await made(connections[0], post(path, one));
    let left = 500;
    await hammer(connections, 10_000, () => (left-- > 0 ? post(path, object(type)) : undefined), [201]);
  }
  const verbs: Record<string, (subject: { path: string; type: object }) => () => Buffer> = {
    list:
      ({ path }) =>
      () =>
        get(`${path}?limit=500`),
    get:
      ({ path }) =>
      () =>
        get(`${path}/pairs`),
    create:
      ({ path, type }) =>
      () =>
        post(path, object(type)),
  };
  for (const [verb, requests] of Object.entries(verbs)) {
    const rates = { custom: 0, builtIn: 0 };
    // in turns, because the machine may be slow for a while; the best of each counts
    for (let round = 0; round < 4; round++) {
      for (const name of ['custom', 'builtIn'] as const) {
        const { perSecond } = await hammer(connections, 500, requests(subjects[name]), [200, 201]);
        rates[name] = Math.max(rates[name], perSecond);
      }
    }
    const share = Math.round((100 * rates.custom) / rates.builtIn);
    const figures = `${Math.round(rates.custom)}/s and ${Math.round(rates.builtIn)}/s, ${share}%`;
    report.row(`${verb}, custom resources and config maps of 2 KiB`, figures, '', 'at least 80%');
  }
  for (const one of connections) one.close();
}

async function endOfMany(report: Report, server: Target): Promise<void> {
  const connections = await server.open(32);
  const path = collectionOf(0);
  let index = 0;
  const next = (): Buffer | undefined => (index < manyObjects ? post(path, widget(`object-${index++}`, 0)) : undefined);
  await hammer(connections, 60_000, next, [201]);
  const [connection] = connections;
  const at = `${definitions}/widgets.group-0.example.com`;
  const started = performance.now();
  await connection.send(RawConnection.request('DELETE', at));
  while ((await connection.send(get(at))).status !== 404) await new Promise((resolve) => setTimeout(resolve, 5));
  const took = performance.now() - started;
  report.row(`end of a definition with ${manyObjects} objects`, ms(took), '', 'at most 2 s');
  for (const one of connections) one.close();
}

function validation(report: Report): void {
  const schema = validatedSchema as unknown as JsonSchema;
  const tree = newRuleValidator(schema, true);
  if (tree === undefined) throw new Error('no rules');
  const compiled = compileSchema(schema, {
    rules: {
      validate(object, _old, path, { errors }) {
        errors.push(...validateRules(tree, { self: object, path }).errors);
      },
    },
  });
  const errors: FieldError[] = [];
  const work = (): void => compiled.validate(validated as unknown as KubeObject, FieldPath.root, errors);
  for (let index = 0; index < 2_000; index++) work();
  if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
  let best = 0;
  for (let slice = 0; slice < 10; slice++) {
    const started = performance.now();
    let done = 0;
    while (performance.now() - started < 100) for (let one = 0; one < 20; one++, done++) work();
    best = Math.max(best, (1000 * done) / (performance.now() - started));
  }
  const size = kilobytes(JSON.stringify(validated as unknown as Json).length);
  report.row(`objects of ${size} against a schema with ten rules`, `${Math.round(best)}/s`, '', '');
}
