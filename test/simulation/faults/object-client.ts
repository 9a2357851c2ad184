import { setTimeout } from 'node:timers/promises';
import type { HttpClient, HttpResponse } from '../../support/http-client.ts';
import type { Random } from '../../support/random.ts';
import type { ObjectInput, ObjectOutput, Version } from '../linearizability/object-model.ts';
import type { History } from './history.ts';
import { dataOf, type Kind, slotCount, versionOf } from './wire.ts';

/** The shared state of a round's clients. */
export interface Place {
  readonly kind: Kind;
  readonly namespace: string;
  /** The names of all objects. */
  readonly names: readonly string[];
  /** The names of objects that clients write. */
  readonly busy: readonly string[];
  readonly history: History;
  /** Returns a unique mark for a write. */
  readonly nextMark: () => number;
}

/** A response that is wrong in any circumstances. */
export class WrongAnswer extends Error {}

/** A client of several servers. It sends one request at a time, and records its observations. */
export class ObjectClient {
  readonly #id: string;
  readonly #place: Place;
  readonly #servers: readonly HttpClient[];
  readonly #random: Random;
  /** The last version that this client saw, by name. */
  readonly #seen = new Map<string, Version>();
  /** The object whose state this client got wrong, to be read next. */
  #refused: string | undefined;
  /** The newest list from each server's cache. */
  readonly #newest = new Map<HttpClient, number>();

  constructor(id: string, place: Place, servers: readonly HttpClient[], random: Random) {
    this.#id = id;
    this.#place = place;
    this.#servers = servers;
    this.#random = random;
  }

  async step(): Promise<void> {
    const random = this.#random;
    const dice = random.next();
    const name = this.#refused ?? random.pick(this.#place.busy);
    const isKnown = await this.#ask(name, dice);
    await setTimeout(isKnown ? random.between(0, 6) : random.between(10, 60));
  }

  /** Reports whether the outcome is known. */
  async #ask(name: string, dice: number): Promise<boolean> {
    const random = this.#random;
    if (dice < 0.1 || (this.#refused === name && dice < 0.8)) return this.read(name);
    if (dice < 0.2) return (await this.list()) !== undefined;
    if (dice < 0.25) return this.#listCached();
    const mark = this.#place.nextMark();
    // prefer operations that can succeed
    if (this.#seen.has(name) === dice < 0.3) return this.#operate(name, { type: 'create', mark, slots: slotCount });
    const guard = this.#guard(name);
    if (dice < 0.6) return this.#operate(name, { type: 'update', mark, slots: slotCount, ...guard });
    if (dice < 0.92) return this.#operate(name, { type: 'patch', mark, slot: random.between(0, slotCount - 1) });
    return this.#operate(name, { type: 'delete', ...guard });
  }

  #guard(name: string): { guard?: number } {
    const seen = this.#seen.get(name);
    if (seen !== undefined && this.#random.chance(0.7)) return { guard: seen.revision };
    return this.#place.kind.needsGuard ? { guard: seen?.revision ?? 1 } : {};
  }

  read(name: string): Promise<boolean> {
    return this.#operate(name, { type: 'read' });
  }

  /** Returns the revision of a new object; undefined if the outcome is unknown. */
  async create(name: string): Promise<number | undefined> {
    await this.#operate(name, { type: 'create', mark: this.#place.nextMark(), slots: slotCount });
    return this.#seen.get(name)?.revision;
  }

  async #operate(name: string, input: ObjectInput): Promise<boolean> {
    const { history } = this.#place;
    const operation = { client: this.#id, input, call: history.tick() };
    const response = await this.#send(this.#random.pick(this.#servers), input, name);
    if (response === 'not sent') return false;
    const output = response && this.#outputOf(response, input, name);
    if (output === 'refused') return true;
    history.operation(name, operation, output);
    if (output?.result === 'version') this.#seen.set(name, output.version);
    this.#refused = output?.result === 'exists' || output?.result === 'conflict' ? name : undefined;
    if (output?.result === 'deleted' || output?.result === 'absent') this.#seen.delete(name);
    return output !== undefined;
  }

  /** Returns the newest objects; undefined without a response. */
  async list(): Promise<{ revision: number; objects: ReadonlyMap<string, Version> } | undefined> {
    const call = this.#place.history.tick();
    return this.#list(this.#random.pick(this.#servers), '', call);
  }

  /** Lists from a server's cache. The list may be stale, but never older than the one before. */
  async #listCached(): Promise<boolean> {
    const server = this.#random.pick(this.#servers);
    const newest = this.#newest.get(server) ?? 0;
    const limit = this.#random.chance(0.5) ? '?resourceVersion=0' : `?resourceVersion=${Math.max(newest, 1)}`;
    const found = await this.#list(server, limit);
    if (found === undefined) return false;
    if (found.revision < newest) throw new WrongAnswer(`a cache went back from ${newest} to ${found.revision}`);
    this.#newest.set(server, found.revision);
    return true;
  }

  async #list(
    server: HttpClient,
    query: string,
    call?: number,
  ): Promise<{ revision: number; objects: ReadonlyMap<string, Version> } | undefined> {
    const { kind, namespace, names, history } = this.#place;
    const response = await this.#request(server, 'GET', `${kind.path(namespace)}${query}`);
    if (response === undefined || response === 'not sent') return undefined;
    if (response.status !== 200) {
      this.#mustBeFailure(response);
      return undefined;
    }
    const ours = response.json.items.filter((item: { metadata: { name: string } }) => names.includes(item.metadata.name));
    const objects = new Map<string, Version>(ours.map((item: Parameters<typeof versionOf>[0]) => [item.metadata.name, versionOf(item)]));
    const revision = Number(response.json.metadata.resourceVersion);
    history.snapshot({ revision, objects, client: this.#id }, names, call);
    return { revision, objects };
  }

  #send(server: HttpClient, input: ObjectInput, name: string): Promise<HttpResponse | 'not sent' | undefined> {
    const { kind, namespace } = this.#place;
    const [all, one] = [kind.path(namespace), `${kind.path(namespace)}/${name}`];
    const guard = 'guard' in input && input.guard !== undefined ? { resourceVersion: String(input.guard) } : {};
    if (input.type === 'read') return this.#request(server, 'GET', one);
    if (input.type === 'delete') {
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: guard };
      return this.#request(server, 'DELETE', one, options);
    }
    if (input.type === 'patch') {
      const patch = { data: dataOf(name, input.mark, input.slot) };
      return this.#request(server, 'PATCH', one, patch, 'application/merge-patch+json');
    }
    const { apiVersion } = kind;
    const object = { apiVersion, kind: kind.kind, metadata: { name, ...guard }, data: dataOf(name, input.mark) };
    return input.type === 'create' ? this.#request(server, 'POST', all, object) : this.#request(server, 'PUT', one, object);
  }

  async #request(
    server: HttpClient,
    method: string,
    path: string,
    body?: object,
    contentType = 'application/json',
  ): Promise<HttpResponse | 'not sent' | undefined> {
    const signal = AbortSignal.timeout(this.#random.pick([300, 1000, 3000]));
    try {
      if (body === undefined) return await server.get(path, { signal });
      return await server.send(method, path, JSON.stringify(body), contentType, { signal });
    } catch (error) {
      return wasNotSent(error as NodeJS.ErrnoException) ? 'not sent' : undefined;
    }
  }

  /** Returns undefined if the outcome is unknown. */
  #outputOf(response: HttpResponse, input: ObjectInput, name: string): ObjectOutput | 'refused' | undefined {
    const { status, json } = response;
    if (status === 200 && input.type === 'delete') return { result: 'deleted' };
    if (status === 200 || status === 201) return { result: 'version', version: versionOf(json) };
    if (status === 404 && input.type !== 'create' && json?.details?.name === name) return { result: 'absent' };
    if (status === 409 && json?.reason === 'AlreadyExists') return { result: 'exists' };
    if (status === 409 && json?.reason === 'Conflict') return { result: 'conflict' };
    this.#mustBeFailure(response);
    return status === 429 ? 'refused' : undefined;
  }

  /** Checks that a failing server responds with a Status and does not blame the client. */
  #mustBeFailure({ status, json, body }: HttpResponse): void {
    const isFailure = json?.kind === 'Status' && json.code === status && (status >= 500 || status === 429);
    if (!isFailure) throw new WrongAnswer(`${this.#id} was answered ${status}: ${body.toString().slice(0, 1000)}`);
  }
}

/** Reports whether the request had no connection. */
function wasNotSent({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || message.startsWith('Client network socket disconnected before secure TLS');
}
