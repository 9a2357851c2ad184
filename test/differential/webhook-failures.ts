import { ConversionWebhook } from '../support/conversion-webhook.ts';
import type { TestValue } from '../support/test-object.ts';
import type { SentResponse } from '../support/webhook-server.ts';
import type { Difference } from './causes.ts';
import type { Outcome } from './outcome.ts';
import type { Servers } from './servers.ts';
import type { Side, SideResponse } from './side.ts';

/** An invalid response of a webhook to a review. */
type Respond = (review: TestValue) => SentResponse;

const success = (review: TestValue, response: object = {}, more: object = {}): SentResponse => ({
  body: {
    kind: 'ConversionReview',
    apiVersion: review.apiVersion,
    response: { uid: review.request.uid, result: { status: 'Success' }, convertedObjects: [], ...response },
    ...more,
  },
});

/** Converts and then changes each object. */
const changing =
  (change: (object: TestValue) => unknown): Respond =>
  (review) => {
    const { objects, desiredAPIVersion } = review.request;
    const convertedObjects = objects.map((object: TestValue) =>
      change({ ...object, apiVersion: desiredAPIVersion, metadata: { ...object.metadata } }),
    );
    return success(review, { convertedObjects });
  };

const withMetadata = (change: object): Respond => changing((object) => ({ ...object, metadata: { ...object.metadata, ...change } }));

const status = (code: number, message: string): SentResponse => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
});

const failures: Readonly<Record<string, Respond>> = {
  'an error': () => ({ status: 500, body: 'x' }),
  'an error without a body': () => ({ status: 503, body: '' }),
  'a Status': () => status(500, 'not today'),
  'a 400 with a Status': () => status(400, 'not today'),
  'a 400': () => ({ status: 400, body: 'no' }),
  'a 403': () => ({ status: 403, body: 'no' }),
  'a 404': () => ({ status: 404, body: 'no' }),
  'a 413': () => ({ status: 413, body: 'no' }),
  'a 429': () => ({ status: 429, body: 'no' }),
  'no JSON': () => ({ body: 'garbage' }),
  'half of JSON': () => ({ body: '{"kind":"ConversionReview",' }),
  nothing: () => ({ body: '' }),
  null: () => ({ body: 'null' }),
  'a list': () => ({ body: [] }),
  'no kind': (review) => success(review, {}, { kind: undefined }),
  'another kind': (review) => success(review, {}, { kind: 'Other' }),
  'another version of the review': (review) => success(review, {}, { apiVersion: 'apiextensions.k8s.io/v1beta1' }),
  'another group': (review) => success(review, {}, { apiVersion: 'example.com/v1' }),
  'no response': (review) => success(review, {}, { response: undefined }),
  'a response that is a list': (review) => success(review, {}, { response: [] }),
  'another uid': (review) => success(review, { uid: 'other' }),
  'no uid': (review) => success(review, { uid: undefined }),
  'a failure': (review) => success(review, { result: { status: 'Failure', message: 'not today' } }),
  'a failure without a message': (review) => success(review, { result: { status: 'Failure' } }),
  'no result': (review) => success(review, { result: undefined }),
  'no objects': (review) => success(review),
  'objects that are null': (review) => success(review, { convertedObjects: null }),
  'objects that are a string': (review) => success(review, { convertedObjects: 'x' }),
  'an object too many': (review) => success(review, { convertedObjects: [...review.request.objects, ...review.request.objects] }),
  'the same version': (review) => success(review, { convertedObjects: review.request.objects }),
  'an object that is null': changing(() => null),
  'an object that is a number': changing(() => 5),
  'an object that is empty': changing(() => ({})),
  // each server sends members in its own order, so the webhook sets the order
  'an object without kind': changing(({ apiVersion }) => ({ apiVersion, metadata: { name: 'x' } })),
  'an object without version': changing(({ apiVersion: _, ...rest }) => rest),
  'an object of another kind': changing((object) => ({ ...object, kind: 'Other' })),
  'no metadata': changing(({ metadata: _, ...rest }) => rest),
  'metadata that is null': changing((object) => ({ ...object, metadata: null })),
  'metadata that is a string': changing((object) => ({ ...object, metadata: 'x' })),
  'another name': withMetadata({ name: 'other' }),
  'a name that is a number': withMetadata({ name: 5 }),
  'another namespace': withMetadata({ namespace: 'other' }),
  'another uid of the object': withMetadata({ uid: 'other' }),
  'labels that are a string': withMetadata({ labels: 'x' }),
  'labels that are null': withMetadata({ labels: null }),
  'a label that is a number': withMetadata({ labels: { a: 1 } }),
  'a label that is a float': withMetadata({ labels: { a: 1.5 } }),
  'invalid labels': withMetadata({ labels: { 'not a key': 'x' } }),
  'an invalid label': withMetadata({ labels: { ok: 'not a value!' } }),
  'invalid annotations': withMetadata({ annotations: { 'not a key': 'x' } }),
  'an annotation that is a list': withMetadata({ annotations: { a: [] } }),
  'other finalizers and owners': withMetadata({ finalizers: ['example.com/x'], ownerReferences: [{}], generation: 9 }),
  'a spec that the schema refuses': changing((object) => ({ ...object, spec: { n: 'x' } })),
  'fields that the schema does not have': changing((object) => ({ ...object, unknown: 1, spec: { n: 1, more: 2 } })),
};

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'failing.example.com';
const objects = (version: string, name = ''): string => `/apis/${group}/${version}/foos${name && `/${name}`}`;
const instance = (version: string, name: string, n: number) =>
  JSON.stringify({ apiVersion: `${group}/${version}`, kind: 'Foo', metadata: { name }, spec: { n } });

/** Requests that need a conversion. */
const requests: Readonly<Record<string, (side: Side, name: string) => Promise<SideResponse>>> = {
  get: (side, name) => side.send('GET', objects('v2', name)),
  list: (side) => side.send('GET', objects('v2')),
  create: (side) => side.send('POST', `${objects('v2')}?dryRun=All`, instance('v2', 'other', 1)),
  update: (side, name) => side.send('PUT', `${objects('v2', name)}?dryRun=All`, instance('v2', name, 2)),
  patch: (side, name) => side.send('PATCH', objects('v2', name), '{"spec":{"n":3}}', { contentType: 'application/merge-patch+json' }),
  apply: (side, name) =>
    side.send('PATCH', `${objects('v2', name)}?fieldManager=m&force=true`, instance('v2', name, 4), {
      contentType: 'application/apply-patch+yaml',
    }),
  delete: (side, name) => side.send('DELETE', objects('v2', name)),
};

/** Compares both servers' responses to failures of a conversion webhook. */
export async function compareWebhookFailures({ sides }: Pick<Servers, 'sides'>): Promise<Outcome> {
  const webhook = await ConversionWebhook.open((object) => object);
  const differences: Difference[] = [];
  let operations = 0;
  try {
    await Promise.all(sides.map((side) => define(side, webhook)));
    for (const [failure, respond] of Object.entries(failures)) {
      webhook.respond = respond;
      const name = failure.replaceAll(' ', '-').toLowerCase();
      await Promise.all(sides.map((side) => side.send('POST', objects('v1'), instance('v1', name, 1))));
      for (const [op, send] of Object.entries(requests)) {
        operations++;
        const [a, b] = (await Promise.all(sides.map((side) => send(side, name)))).map(visible);
        if (a === b) continue;
        const request = `while the webhook responds with ${failure}`;
        differences.push({ kind: 'webhook', op, seed: 0, step: operations, request, path: 'Status', a, b });
      }
      await Promise.all(sides.map((side) => side.send('DELETE', objects('v1', name))));
    }
  } finally {
    webhook.respond = undefined;
    await Promise.all(sides.map((side) => side.send('DELETE', `${definitions}/foos.${group}`)));
    await webhook.close();
  }
  return { operations, rounds: 0, differences, errors: [] };
}

/** Creates a definition with two versions that differ only in their names. */
async function define(side: Side, { conversion }: ConversionWebhook): Promise<void> {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const names = { plural: 'foos', kind: 'Foo' };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `foos.${group}` },
    spec: { group, scope: 'Cluster', names, versions, conversion },
  };
  await side.send('POST', definitions, JSON.stringify(crd));
  while ((await side.send('GET', objects('v2'))).status !== 200) await new Promise((done) => setTimeout(done, 100));
}

/** Returns a response without the values that each server chooses. */
function visible({ status, json }: SideResponse): string {
  if (json.kind !== 'Status') return String(status);
  const { message = '', reason = '', details = {} } = json;
  return `${status} ${reason} ${message} ${JSON.stringify(details)}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>');
}
