import type { HttpResponse } from '../support/http-client.ts';
import type { ObjectFixture, Query } from '../support/object-fixture.ts';
import type { Random } from '../support/random.ts';
import { expectSame } from './checks.ts';
import { fromWire } from './http-wire.ts';
import type { ModelFilter, ModelKey, ModelObject, StoreModel } from './store-model.ts';

interface Place {
  readonly path: string;
  readonly select: Query;
  readonly filter: ModelFilter;
}

/** Gets and lists from one server, each compared with the model at the response's revision. */
export class HttpReader {
  readonly #fixture: ObjectFixture;
  readonly #model: StoreModel;
  readonly #random: Random;

  constructor(fixture: ObjectFixture, model: StoreModel, random: Random) {
    this.#fixture = fixture;
    this.#model = model;
    this.#random = random;
  }

  async get({ namespace, name }: ModelKey): Promise<void> {
    const now = this.#fixture.server.revision();
    const query = this.#random.pick<Query>([{}, { resourceVersion: 0 }, { resourceVersion: this.#random.between(1, now) }]);
    const { status, json } = await this.#fixture.get(`/api/v1/namespaces/${namespace}/events/${name}`, query);
    const [want] = this.#model.at(now, { namespace, name });
    if (want === undefined) expectSame(status, 404, 'status of nothing');
    else expectSame(fromWire(json), want, `get of ${JSON.stringify(query)}`);
  }

  /** Requests whole lists at every kind of version. */
  async list({ path, select, filter }: Place, oldest: number): Promise<void> {
    const random = this.#random;
    const now = this.#fixture.server.revision();
    const version = random.between(1, now);
    const isOne = filter.name !== undefined && filter.namespace !== undefined;
    const [query, exact] = random.pick<[Query, number | undefined]>([
      [{}, undefined],
      [{ resourceVersion: 0 }, undefined],
      [{ resourceVersion: version }, undefined],
      [{ resourceVersion: version, resourceVersionMatch: 'NotOlderThan' }, undefined],
      [{ resourceVersion: version, resourceVersionMatch: 'Exact' }, version],
      // the list of one object has no pages, so a limit does not affect its version
      [{ resourceVersion: version, limit: 100 }, isOne ? undefined : version],
    ]);
    const response = await this.#fixture.get(path, { ...query, ...select });
    if (exact !== undefined && exact < oldest) {
      expectSame([response.status, response.json.reason], [410, 'Expired'], `list at ${exact}, compacted`);
      return;
    }
    const revision = revisionOf(response);
    if (exact === undefined) this.#expectFresh(revision, now);
    else expectSame(revision, exact, 'version of an exact list');
    expectSame(itemsOf(response), this.#model.at(revision, filter), `list at ${revision} of ${JSON.stringify(select)}`);
  }

  /** Checks that a read is at least as new as the store at the request. */
  #expectFresh(revision: number, asked: number): void {
    const now = this.#fixture.server.revision();
    if (revision < asked || revision > now) throw new Error(`a list of ${revision}, asked for between ${asked} and ${now}`);
  }

  /** Requests a list in pages, while `meanwhile` writes and compacts. It returns the oldest readable revision. */
  async pages({ path, select, filter }: Place, meanwhile: () => Promise<number>): Promise<void> {
    const limit = this.#random.between(1, 5);
    const selects = Object.keys(select).length > 0;
    let token = '';
    let snapshot = 0;
    /** The token has a version: that of the previous page. */
    let isFixed = false;
    let areOneVersion = true;
    let seen: ModelObject[] = [];
    let oldest = 0;
    do {
      const before = this.#fixture.server.revision();
      const response = await this.#fixture.get(path, {
        limit,
        ...select,
        ...(token === '' ? {} : { continue: token }),
      });
      if (isFixed && snapshot < oldest) {
        expectSame([response.status, response.json.reason], [410, 'Expired'], `page of ${snapshot}, compacted`);
        token = response.json.metadata.continue;
        isFixed = false;
        areOneVersion = false;
        continue;
      }
      const revision = revisionOf(response);
      if (isFixed) expectSame(revision, snapshot, 'version of a page');
      else this.#expectFresh(revision, before);
      snapshot = revision;
      isFixed = true;
      const whole = this.#model.at(snapshot, filter);
      const rest = whole.slice(whole.findIndex((object) => isAfter(object, seen.at(-1))));
      const page = itemsOf(response);
      const isDone = whole.length === 0 || !isAfter(whole[whole.length - 1], seen.at(-1));
      expectSame(page, isDone ? [] : rest.slice(0, limit), `a page at ${snapshot}`);
      token = response.json.metadata.continue ?? '';
      const left = isDone ? 0 : rest.length - page.length;
      if (left > 0 && token === '') throw new Error(`no token, and ${left} to come`);
      expectSame(response.json.metadata.remainingItemCount, selects || token === '' ? undefined : left, 'remaining');
      seen = [...seen, ...page];
      oldest = await meanwhile();
    } while (token !== '');
    if (areOneVersion) expectSame(seen, this.#model.at(snapshot, filter), `all pages at ${snapshot}`);
  }
}

/** Compares keys: `a-b/` is before `a/`. */
function isAfter(object: ModelKey, last: ModelKey | undefined): boolean {
  return last === undefined || `${object.namespace}/${object.name}` > `${last.namespace}/${last.name}`;
}

function revisionOf({ status, json }: HttpResponse): number {
  expectSame(status, 200, `status of a list: ${json.message}`);
  return Number(json.metadata.resourceVersion);
}

const itemsOf = ({ json }: HttpResponse): ModelObject[] => json.items.map((item: Parameters<typeof fromWire>[0]) => fromWire(item));
