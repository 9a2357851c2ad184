import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { differencesBetween } from '../../differential/compare.ts';
import type { TestValue } from '../../support/test-object.ts';
import type { Tally } from '../reports/tally.ts';
import { causesOf, withoutKnown } from './causes.ts';
import type { Answer, Exchange, Request } from './exchange.ts';
import { featureOf } from './features.ts';
import type { Scene } from './scenes.ts';
import type { ServerPair } from './server-pair.ts';

/** A place where two answers to the same request differ. */
export interface Difference {
  readonly scene: Scene;
  /** The index of the request in the scene. */
  readonly at: number;
  /** Where in the answer: `status`, `headers.warning`, `body.details.causes[0].field`. */
  readonly path: string;
  readonly reference: unknown;
  readonly own: unknown;
  /** All differences of the answers. */
  readonly answers: readonly [Answer, Answer];
}

/** Exchanges of one scene with kube-apiserver and with this server. */
type Sides = readonly [Exchange, Exchange];

export interface Outcome {
  readonly requests: number;
  /** Those of the first answer that differs for no known cause. */
  readonly differences: readonly Difference[];
  /** Those of later answers, if the requests of the scene do not depend on each other. */
  readonly others?: readonly (readonly Difference[])[];
  /** How many answers differ for known causes. */
  readonly known: ReadonlyMap<string, number>;
}

/**
 * Runs a scene on both servers, until an answer differs unless the requests are independent, and cleans up. `tally` counts
 * the answers by feature.
 */
export async function compareScene(pair: ServerPair, scene: Scene, tally?: Tally): Promise<Outcome> {
  const known = new Map<string, number>();
  const touched = new Set([scene.name]);
  const all: (readonly Difference[])[] = [];
  let requests = 0;
  const sides: Sides = [pair.reference.anew(), pair.own.anew()];
  if (scene.collection.endsWith('/events')) await Promise.all(sides.map(withoutRepairs));
  try {
    for (const [at, request] of scene.requests.entries()) {
      requests++;
      const answers = await answersOf(sides, request, scene);
      for (const answer of answers) noteName(scene, request, answer, touched);
      await Promise.all(sides.map((side, index) => whenFollowed(side, request, answers[index])));
      const [reference, own] = answers;
      const isOver = at === 0 && scene.needsFirst && reference.status >= 300 && own.status >= 300;
      const feature = scene.feature ?? featureOf(request, scene.collection);
      if (isDeepStrictEqual(reference, own)) {
        tally?.count(feature, 'equal');
        if (isOver) break;
        continue;
      }
      const names = causesOf(reference, own);
      for (const name of names ?? []) known.set(name, (known.get(name) ?? 0) + 1);
      if (names !== undefined || isLate(answers) || (await isRandom(sides[0], request, answers))) {
        tally?.count(feature, names === undefined ? 'equal' : 'listed');
        if (isOver) break;
        continue;
      }
      const [kept, ownKept] = answers.map(withoutKnown);
      const found = differencesBetween(kept, ownKept).map((one) => ({ scene, at, ...one, path: one.path.slice(1), answers }));
      tally?.count(feature, found.length > 0 ? 'different' : 'equal');
      if (found.length > 0) all.push(found);
      if (found.length > 0 && !scene.isIndependent) break;
    }
  } finally {
    await Promise.all(sides.map((side) => (scene.collection === '' ? removeCreated(side) : cleanUp(side, scene.collection, touched))));
  }
  await setTimeout(scene.pause ?? 0);
  const [differences = [], ...others] = all;
  return { requests, differences, others, known };
}

/** Pauses before a request that changes nothing is repeated, in milliseconds. */
const pauses = [50, 100, 200, 400, 800, 1600];

/** The answers of both servers. Where objects are in several places, answers that differ get the time to become the same. */
async function answersOf(sides: Sides, request: Request, { collection, isSettled }: Scene): Promise<[Answer, Answer]> {
  const ask = (): Promise<[Answer, Answer]> => Promise.all([sides[0].send(request), sides[1].send(request)]);
  let answers = await ask();
  if (collection !== '' || isSettled || !changesNothing(request)) return answers;
  for (const pause of pauses) {
    if (causesOf(...answers) !== undefined) break;
    await setTimeout(pause);
    answers = await ask();
  }
  return answers;
}

const changesNothing = ({ method, path, until }: Request): boolean =>
  until === undefined && (method === 'GET' || path.includes('dryRun=') || /reviews(\?|$)/.test(path));

/** Deletes what the requests of a scene have created, policies and webhooks first, the last of them first. */
async function removeCreated({ http, created }: Exchange): Promise<void> {
  const paths = created.splice(0).reverse();
  const decides = (path: string): boolean => path.includes('/admissionregistration.k8s.io/');
  for (const path of [...paths.filter(decides), ...paths.filter((path) => !decides(path))]) await remove(http, path);
}

/** How often a failed request is sent once more. A small Go map is in another order every eighth time only. */
const repetitions = 100;

/** Requests about which kube-apiserver says why, and where the reason is one of several in the order of a Go map. */
const isReview = ({ path }: Request): boolean => /accessreviews(\?|$)/.test(path);

/** Whether kube-apiserver answers a failed write or a review now and then as this server does, or says the same in no certain order. */
async function isRandom(side: Exchange, request: Request, [reference, own]: readonly [Answer, Answer]): Promise<boolean> {
  if (request.method === 'GET' || reference.status !== own.status || (reference.status < 300 && !isReview(request))) return false;
  const isSame = isDeepStrictEqual(inOrder(reference), inOrder(own));
  for (let time = 0; time < repetitions; time++) {
    const again = withoutKnown(await side.send(request));
    if (isDeepStrictEqual(again, withoutKnown(own)) || (isSame && !isDeepStrictEqual(again, withoutKnown(reference)))) return true;
  }
  return false;
}

/** Whether the answers differ only in the order of managed fields, as when the second of the clock changes between two writes. */
const isLate = ([reference, own]: readonly [Answer, Answer]): boolean => {
  const [a, b] = [reference, own].map((answer) => withoutKnown({ ...answer, body: withSortedManagers(answer.body) }));
  return isDeepStrictEqual(a, b);
};

function withSortedManagers(value: TestValue): TestValue {
  if (Array.isArray(value)) return value.map(withSortedManagers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, TestValue] => {
    if (name !== 'managedFields' || !Array.isArray(member)) return [name, withSortedManagers(member)];
    const sorted = member.map((entry) => JSON.stringify(entry)).sort();
    return [name, sorted];
  });
  return Object.fromEntries(entries);
}

/** An answer with the causes of its Status, and the parts of its message, in alphabetical order. */
function inOrder(answer: Answer): Answer {
  const { body } = answer;
  const { causes } = body?.details ?? {};
  // an apply lists the errors of members of maps
  if (!Array.isArray(causes)) {
    const text = String(body?.message);
    return text.includes('\n') ? { ...answer, body: { ...body, message: text.split('\n').sort() } } : answer;
  }
  const sorted = causes.map((cause) => JSON.stringify(cause)).sort();
  const message = String(body.message)
    .split(/[,:[\]] ?/)
    .sort();
  return { ...answer, body: { ...body, message, details: { ...body.details, causes: sorted } } };
}

/** Deletes the events of the repair loop for addresses, which reports sooner or later. */
const withoutRepairs = ({ http }: Exchange): Promise<unknown> =>
  http.send('DELETE', '/api/v1/namespaces/default/events?fieldSelector=reportingComponent%3Dipallocator-repair-controller');

/** Waits until the controllers of a server have followed a write of a flow schema or of a definition. */
async function whenFollowed({ http }: Exchange, { path, method }: Request, { status, body }: Answer): Promise<void> {
  if (method !== 'GET' && /customresourcedefinitions(\/|$)/.test(path) && status < 300) await whenServed(http, body?.metadata?.name);
  if (status > 299 || body?.kind !== 'FlowSchema' || path.includes('dryRun=')) return;
  for (const pause of pauses) {
    const { status: found, json } = await http.get(`/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/${body.metadata.name}`);
    const { name } = json.spec?.priorityLevelConfiguration ?? {};
    const [condition] = json.status?.conditions ?? [];
    if (found !== 200 || String(condition?.message).includes(`"${name}"`)) return;
    await setTimeout(pause);
  }
}

/** What a server takes to notice a change of a definition that it serves, in milliseconds. */
const notice = 250;

/** Waits until the newest version of a definition is served. */
async function whenServed(http: Exchange['http'], name: string): Promise<void> {
  for (const pause of pauses) {
    const { status, json } = await http.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
    if (status !== 200) return;
    const { group, versions, names } = json.spec;
    const [{ name: version }] = versions;
    const isEstablished = json.status?.conditions?.some((one: TestValue) => one.type === 'Established' && one.status === 'True');
    if (isEstablished && (await http.get(`/apis/${group}/${version}/${names.plural}?limit=1`)).status === 200) break;
    await setTimeout(pause);
  }
  await setTimeout(notice);
}

/** Remembers the object that a write may have left behind. */
function noteName({ collection }: Scene, { method, path }: Request, { status }: Answer, touched: Set<string>): void {
  if (status < 200 || status > 299 || method === 'GET' || !path.startsWith(`${collection}/`)) return;
  touched.add(/^[^/?]*/.exec(path.slice(collection.length + 1))?.[0] ?? '');
}

/** Deletes the objects of these names, and those with random names, whatever their finalizers are. */
async function cleanUp({ http }: Exchange, collection: string, touched: ReadonlySet<string>): Promise<void> {
  const { json } = await http.get(collection, { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } });
  for (const { metadata } of json?.items ?? []) {
    if (!touched.has(metadata.name) && !metadata.name.startsWith('x-')) continue;
    await remove(http, `${collection}/${metadata.name}`);
  }
}

/** Deletes an object, whatever its finalizers are. */
async function remove(http: Exchange['http'], path: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    await http.send('DELETE', `${path}?gracePeriodSeconds=0`);
    const left = await http.get(path);
    if (left.status !== 200) break;
    const { kind, spec } = left.json;
    if (kind === 'Namespace') {
      await http.send('PUT', `${path}/finalize`, JSON.stringify({ ...left.json, spec: { ...spec, finalizers: [] } }), 'application/json');
    }
    await http.send('PATCH', path, '{"metadata":{"finalizers":null}}', 'application/merge-patch+json');
  }
}
