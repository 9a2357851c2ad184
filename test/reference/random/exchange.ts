import { setTimeout } from 'node:timers/promises';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { parse } from 'yaml';
import { stringifyJson } from '../../../runtime/codec/json.ts';
import { decodeEnvelope, encodeEnvelope, isEnvelope } from '../../../runtime/codec/protobuf.ts';
import type { ProtobufCodec } from '../../../runtime/machinery/protobuf/codec.ts';
import { writeMessage } from '../../../runtime/machinery/protobuf/message-writer.ts';
import { merged } from '../../properties/writes.ts';
import type { HttpClient, HttpResponse } from '../../support/http-client.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';

/** One request. `{rv}` in its path or body, and `{continue}` in its path, are those of the last object and of the last list that the server has sent. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: TestValue;
  /** Default: application/json. An object is sent in protobuf, if it has this form. */
  readonly contentType?: string;
  /** Default: application/json. */
  readonly accept?: string;
  /** The body is merged into the object that the server has at this path, if there is one. */
  readonly edits?: string;
  /** More headers. With `authorization`, the client has no certificate. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The request is repeated until its answer has this status or flow schema, since a server notices some writes later. */
  readonly until?: number | string;
  /** Whether the answer names the flow schema and the priority level of the request. */
  readonly seesFlow?: boolean;
}

/** What a client sees of a response, without what each server chooses by itself. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: TestValue;
}

/** The codec of a kind, if it has protobuf. */
export type CodecOf = (apiVersion: string, kind: string) => ProtobufCodec<TestObject> | undefined;

const protobuf = 'application/vnd.kubernetes.protobuf';

const seenHeaders = [
  'content-type',
  'warning',
  'cache-control',
  'retry-after',
  'location',
  'allow',
  'www-authenticate',
  'x-content-type-options',
  'accept-ranges',
  'vary',
];

const flowHeaders = {
  flowschemas: 'x-kubernetes-pf-flowschema-uid',
  prioritylevelconfigurations: 'x-kubernetes-pf-prioritylevel-uid',
};

/** How long a request is repeated, the pause in between, and how long an answer may take, in milliseconds. */
const patience = { total: 15_000, pause: 40, answer: 90_000 };

/** A server, as its administrator, and what it said last. */
export class Exchange {
  readonly http: HttpClient;
  /** The paths of the objects that requests have created since the last look. */
  readonly created: string[] = [];
  readonly #users: HttpClient;
  readonly #flows = new Map<string, string>();
  readonly #codecOf: CodecOf;
  readonly #url: string;
  #resourceVersion = '1';
  #continue = '';

  /** @param users a client without a certificate */
  constructor(http: HttpClient, url: string, codecOf: CodecOf, users: HttpClient = http) {
    this.http = http;
    this.#users = users;
    this.#codecOf = codecOf;
    this.#url = url;
  }

  /** Returns another exchange with the server, which has said nothing yet. */
  anew(): Exchange {
    return new Exchange(this.http, this.#url, this.#codecOf, this.#users);
  }

  async send(request: Request): Promise<Answer> {
    for (const start = Date.now(); ; await setTimeout(patience.pause)) {
      const answer = await this.#sendOnce(request);
      const { until = answer.status } = request;
      if (answer.status === until || answer.headers.flowschemas === until || Date.now() - start > patience.total) return answer;
    }
  }

  async #sendOnce(request: Request): Promise<Answer> {
    const { method, edits, contentType = 'application/json', accept = 'application/json', headers = {} } = request;
    const path = request.path.replace('{rv}', this.#resourceVersion).replace('{continue}', encodeURIComponent(this.#continue));
    let { body } = request;
    if (edits !== undefined) {
      const stored = await this.http.get(edits);
      if (stored.status === 200) body = merged(stored.json, body);
    }
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const content = this.#encoded(text?.replaceAll('{rv}', this.#resourceVersion), contentType);
    let response: HttpResponse;
    try {
      const client = 'authorization' in headers ? this.#users : this.http;
      response = await client.send(method, path, content, content === undefined ? undefined : mediaTypeOf(content, contentType), {
        headers: { accept, ...headers },
        signal: AbortSignal.timeout(patience.answer),
      });
    } catch (error) {
      return { status: 0, headers: {}, body: (error as Error).message };
    }
    const { metadata } = response.json ?? {};
    if (response.status === 201 && metadata?.uid !== undefined && !path.includes('dryRun=')) {
      const [place] = path.split('?');
      this.created.push(method === 'POST' ? `${place}/${metadata.name}` : place);
    }
    if (metadata?.resourceVersion !== undefined) this.#resourceVersion = metadata.resourceVersion;
    if (metadata?.continue !== undefined) this.#continue = metadata.continue;
    const answer = this.#answer(response, isWatch(path));
    return request.seesFlow ? { ...answer, headers: { ...answer.headers, ...(await this.#flowOf(response)) } } : answer;
  }

  /** A body in protobuf, if that is wanted and the object has such a form. */
  #encoded(text: string | undefined, contentType: string): string | Uint8Array | undefined {
    if (text === undefined || contentType !== protobuf) return text;
    try {
      const object = JSON.parse(text);
      const codec = this.#codecOf(object.apiVersion, object.kind);
      return codec === undefined
        ? text
        : encodeEnvelope(
            object.apiVersion,
            object.kind,
            writeMessage((writer) => codec.encode(object, writer)),
          );
    } catch {
      return text;
    }
  }

  /** The names of the flow schema and the priority level in the headers of a response. */
  async #flowOf({ headers }: HttpResponse): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [resource, header] of Object.entries(flowHeaders)) {
      const uid = headers[header];
      if (uid === undefined) continue;
      if (!this.#flows.has(String(uid))) {
        const { json } = await this.http.get(`/apis/flowcontrol.apiserver.k8s.io/v1/${resource}`);
        for (const { metadata } of json.items) this.#flows.set(metadata.uid, metadata.name);
      }
      found[resource] = this.#flows.get(String(uid)) ?? 'unknown';
    }
    return found;
  }

  #answer({ status, headers, body }: HttpResponse, watches: boolean): Answer {
    const seen = seenHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, this.#common(String(value))]];
    });
    const type = headers['content-type'] ?? '';
    const result = { status, headers: Object.fromEntries(seen) };
    if (isEnvelope(body)) return { ...result, body: inManagerOrder(JSON.parse(this.#common(stringifyJson(this.#decoded(body))))) };
    if (watches && status === 200 && type.includes('protobuf')) {
      const frames = framesOf(body).map((frame) => this.#eventOf(frame));
      return { ...result, body: events(this.#common(frames.map((event) => stringifyJson(event)).join('\n'))) };
    }
    const text = this.#common(body.toString());
    // where a message is folded depends on the length of versions in it
    if (type.includes('yaml') && status >= 400) return { ...result, body: parse(text) };
    if (type.includes('yaml') && text.includes('kind: EventList')) return { ...result, body: withoutRepairs(parse(text)) };
    if (!type.includes('json')) return { ...result, body: text };
    return {
      ...result,
      body: withoutAges(withoutRepairs(watches && status === 200 ? events(text) : inManagerOrder(inOrder(parsed(text))))),
    };
  }

  /** A WatchEvent: its type, and the object in a RawExtension. */
  #eventOf(frame: Uint8Array): TestValue {
    const [type, extension = new Uint8Array()] = fieldsOf(frame);
    return { type: Buffer.from(type).toString(), object: this.#decoded(fieldsOf(extension)[0]) };
  }

  #decoded(bytes: Uint8Array): TestValue {
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    const codec = this.#codecOf(apiVersion, kind);
    if (codec !== undefined) return { apiVersion, kind, ...codec.decode(new BinaryReader(raw), raw.length) };
    const ofItems = this.#codecOf(apiVersion, kind.replace(/List$/, ''));
    return { apiVersion, kind, items: ofItems === undefined ? [] : itemsOf(raw, ofItems) };
  }

  /** A text in which the values that servers choose by themselves have the same names. */
  #common(text: string): string {
    const now = Date.now();
    return (
      text
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) => (Math.abs(Date.parse(time) - now) < recently ? '<now>' : time))
        .replaceAll(/(resourceVersion\\*"?: ?\\*")\d+/g, '$1<rv>')
        .replaceAll(/("continue": ?"|\bcontinue: )[^"\s]+/g, '$1<continue>')
        .replaceAll(/\b(x-|a\.b-|A|kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<random>')
        .replaceAll(/\b10\.0\.0\.\d+\b/g, '<ip>')
        .replaceAll(/(Too large resource version: \d+, current: )\d+/g, '$1<rv>')
        // this server trusts its own authority, too
        .replaceAll(/(?:-----BEGIN CERTIFICATE-----[\s\w+/=\\]+-----END CERTIFICATE-----(?:\\*n|\n *)*)+/g, '<certificates>')
        // a value in a message may be cut within one
        .replaceAll(/-----BEGIN CERTIFICATE-----[\s\w+/=\\-]*(?=\\*"?\.\.\. \()/g, '<certificates>')
        .replaceAll(/(?<=\b(?:uid|time|creationTimestamp|resourceVersion)\\*":\\*")[\d:TZa-f-]*(?=\\*"?\.\.\. \()/g, '')
        // CEL names a type by chance
        .replaceAll(/\bselfType\d+\b/g, 'selfType')
        .replaceAll(/\bhash=[0-9A-F]{128}/g, 'hash=<hash>')
        .replaceAll(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=<hash>')
        .replaceAll(/(in scheme \\*")[^"\\]+/g, '$1<scheme>')
        .replaceAll(/(in (?:precondition|the precondition|record)\s+\()\d+/g, '$1<rv>')
        .replaceAll(/(ResourceVersion in object meta: )\d+/g, '$1<rv>')
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
        .replaceAll(
          /((?:nodePort|healthCheckNodePort|NodePort)"?: ?)3[0-2]\d{3}\b/g,
          (_, name) => `${name}${name.includes('"') ? '"<port>"' : '<port>'}`,
        )
        .replaceAll(/\b(\d+:)3[0-2]\d{3}(?=\/(?:TCP|UDP|SCTP)\b)/g, '$1<port>')
        .replaceAll(new RegExp(`\\b${new URL(this.#url).port}\\b`, 'g'), '443443')
    );
  }
}

/** The media type of a body. One that has no form in protobuf is JSON. */
const mediaTypeOf = (content: string | Uint8Array, wanted: string): string =>
  wanted === protobuf && typeof content === 'string' ? 'application/json' : wanted;

/** The frames of a stream, each behind its length in four bytes. */
function framesOf(body: Buffer): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 4 <= body.length; at += 4 + body.readUInt32BE(at))
    frames.push(body.subarray(at + 4, at + 4 + body.readUInt32BE(at)));
  return frames;
}

/** The fields of a message that has no others than bytes, in order. */
function fieldsOf(message: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field] = reader.tag();
    fields[field - 1] = reader.bytes();
  }
  return fields;
}

/** The second field of a list. */
function itemsOf(raw: Uint8Array, codec: ProtobufCodec<TestObject>): TestValue[] {
  const items: TestValue[] = [];
  const reader = new BinaryReader(raw);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 2) {
      const length = reader.uint32();
      items.push(codec.decode(reader, length));
    } else reader.skip(type);
  }
  return items;
}

/** A review of a user's rules lists them in the order of a Go map. */
function inOrder(body: TestValue): TestValue {
  if (body?.kind !== 'SelfSubjectRulesReview') return body;
  const sorted = (rules: TestValue): TestValue =>
    Array.isArray(rules) ? [...rules].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : rules;
  const { resourceRules, nonResourceRules, ...status } = body.status;
  return { ...body, status: { ...status, resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) } };
}

/**
 * A controller writes the status of a definition at once. Whether the second of the clock has changed by then decides the order of
 * the managed fields; which of the controllers is first, that of the conditions.
 */
function inManagerOrder(given: TestValue): TestValue {
  const body = withoutRandomName(given);
  const { managedFields } = body?.metadata ?? {};
  if (!/^(CustomResourceDefinition|PartialObjectMetadata)$/.test(body?.kind) || !Array.isArray(managedFields)) return body;
  const { conditions } = body.status ?? {};
  const byType = (a: TestValue, b: TestValue): number => (a.type < b.type ? -1 : 1);
  const status = Array.isArray(conditions) ? { status: { ...body.status, conditions: [...conditions].sort(byType) } } : {};
  const sorted = [...managedFields].sort((a, b) => (`${a.manager} ${a.subresource}` < `${b.manager} ${b.subresource}` ? -1 : 1));
  return { ...body, ...status, metadata: { ...body.metadata, managedFields: sorted } };
}

/** An object whose name a server has chosen has another one. */
function withoutRandomName(body: TestValue): TestValue {
  const { generateName, name } = body?.metadata ?? {};
  const isRandom = generateName && String(name).length === String(generateName).length + 5;
  return isRandom ? { ...body, metadata: { ...body.metadata, name: `${generateName}<random>` } } : body;
}

/** The reason of an event that the repair loop for addresses reports, sooner or later. */
const repair = 'IPAddressWrongReference';

/** A list, a table or the events of a watch without the objects that the repair loop has created. */
function withoutRepairs(value: TestValue): TestValue {
  const kept = (items: TestValue[]): TestValue[] => items.filter((item) => !JSON.stringify(item).includes(repair));
  if (Array.isArray(value)) return kept(value);
  if (Array.isArray(value?.items)) return { ...value, items: kept(value.items) };
  return Array.isArray(value?.rows) ? { ...value, rows: kept(value.rows) } : value;
}

/** Whether the path asks for changes of a collection. Every value but 0 and false is true. */
function isWatch(path: string): boolean {
  const [place = '', query = ''] = path.split('?');
  const steps = place.replace(/\/namespaces\/[^/]+(?=\/)/, '').split('/');
  const isCollection = steps.length === (place.startsWith('/apis/') ? 5 : 4);
  return place.includes('/watch/') || (isCollection && /(^|&)watch=(?!false|0)/.test(query));
}

const recently = 3_600_000;

function parsed(text: string): TestValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The events of a watch by the names of their objects, which a snapshot does not have in any order. Bookmarks are a matter of time. */
function events(text: string): TestValue {
  const lines = text.split('\n').filter((line) => line !== '');
  const isKept = (event: TestValue): boolean =>
    event.type !== 'BOOKMARK' || event.object?.metadata?.annotations?.['k8s.io/initial-events-end'] !== undefined;
  const nameOf = ({ object }: TestValue): string =>
    `${object?.metadata?.namespace}/${object?.metadata?.name ?? object?.rows?.[0]?.object?.metadata?.name}`;
  return lines
    .map(parsed)
    .filter(isKept)
    .map(withoutColumns)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}

/** The first table of a watch has the columns, whatever its object is. */
function withoutColumns(event: TestValue, index: number): TestValue {
  if (event?.object?.kind !== 'Table') return event;
  const isRight = (event.object.columnDefinitions === null) === index > 0;
  return isRight ? { ...event, object: { ...event.object, columnDefinitions: '<columns>' } } : event;
}

/** A text that is an age of less than an hour. */
const age = /^(?=\d)(?:\d\d?m)?(?:\d+s)?$/;

/** A copy in which the cells of tables that are ages of less than an hour are the same. */
function withoutAges(value: TestValue): TestValue {
  if (Array.isArray(value)) return value.map(withoutAges);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    if (key !== 'cells' || !Array.isArray(member)) return [key, withoutAges(member)];
    return [key, member.map((cell) => (typeof cell === 'string' ? cell.replace(age, '<age>').replaceAll(/\b\d+s\b/g, '<age>') : cell))];
  });
  return Object.fromEntries(entries);
}
