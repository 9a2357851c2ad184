import { afterAll, beforeAll } from '@jest/globals';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { ObjectFixture, type Query, whileTimePasses } from '../../../support/object-fixture.ts';
import type { Storage } from '../../../support/store-place.ts';

export const protobuf = 'application/vnd.kubernetes.protobuf';
export const cbor = 'application/cbor';

/** Returns an Accept that asks for another kind, such as a Table. */
export const as = (kind: string, version = 'v1', type = 'application/json'): string => `${type};as=${kind};v=${version};g=meta.k8s.io`;

/** A server that also speaks CBOR, and a collection of ConfigMaps in which is `a`. */
export interface Forms {
  readonly fixture: ObjectFixture;
  /** The path of the collection. */
  readonly maps: string;
}

/** Opens the server before the tests of a suite, and closes it after them. */
export function formsForSuite(storage: Storage, clock: ManualClock): Forms {
  let forms: Forms | undefined;
  beforeAll(async () => {
    forms = await openForms(storage, clock);
  });
  afterAll(() => forms?.fixture.close());
  const opened = (): Forms => {
    if (forms === undefined) throw new Error('the server opens before the first test');
    return forms;
  };
  return {
    get fixture() {
      return opened().fixture;
    },
    get maps() {
      return opened().maps;
    },
  };
}

async function openForms(storage: Storage, clock: ManualClock): Promise<Forms> {
  const fixture = await ObjectFixture.open(storage, { clock, featureGates: ['CBORServingAndStorage=true'] });
  const maps = await fixture.fresh();
  await fixture.put(maps, 'a', { data: { n: '1' } }, { is: 'a' });
  return { fixture, maps };
}

/** Returns the response of a watch that ends by itself after the initial events. */
export const watchShortly = ({ fixture, maps }: Forms, clock: ManualClock, query: Query, accept: string) =>
  whileTimePasses(fixture, clock, fixture.get(maps, { watch: '1', timeoutSeconds: 1, ...query }, accept));

/** Parses lines of JSON. */
export const lines = (body: Buffer) =>
  body
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
