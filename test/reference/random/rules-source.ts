import { readSubjects } from '../../properties/subjects.ts';
import { changed } from '../../rules/changes.ts';
import { type Changes, isDone, type Rule, type RuleTable, readTables, rowsOf } from '../../rules/table.ts';
import type { TestObject } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

/** The path of a kind's objects, for an object of it. */
type PathOf = (object: TestObject) => string | undefined;

const name = 'x';

/**
 * The rows of test/rules, a scene for each: first the write that is refused, then the accepted one. The answers are compared
 * with each other, not with the row, so that the rows serve for every minor version.
 */
export async function rules(): Promise<Source> {
  const places = new Map<string, string>();
  for (const { apiVersion, definition } of await readSubjects()) {
    const { kind, namespaced, resource, group } = definition;
    const scope = namespaced ? '/namespaces/{namespace}' : '';
    places.set(`${apiVersion} ${kind}`, `${group === '' ? '/api' : '/apis'}/${apiVersion}${scope}/${resource}`);
  }
  const pathOf: PathOf = ({ apiVersion, kind, metadata }) =>
    places.get(`${apiVersion} ${kind}`)?.replace('{namespace}', metadata?.namespace ?? 'default');
  const scenes = readTables().flatMap((table) => [...scenesOf(table, pathOf)]);
  return {
    lanes: 4,
    scenes: (seed, titles) => scenes.filter(({ title }) => titles.test(title)).map((scene) => ({ ...scene, seed })),
  };
}

/** Leaves out rows about custom kinds, about users, and about other paths. */
function* scenesOf(table: RuleTable, pathOf: PathOf): Iterable<Scene> {
  if (table.definition !== undefined || table.path !== undefined) return;
  for (const { section, row } of rowsOf(table)) {
    if (!isDone(row) || row.as !== undefined || row.lasts) continue;
    const { refused, accepted, set } = row as Partial<Rule> & { readonly set?: Changes };
    const requests = requestsOf(
      table,
      row as Rule,
      [refused, accepted, set].filter((changes) => changes !== undefined),
      pathOf,
    );
    if (requests === undefined) continue;
    const field = 'field' in row ? `${row.field}: ` : '';
    const title = `${table.name} › ${field}${row.when}`;
    yield { title, feature: `${section} of ${table.name.split('/')[0]}`, seed: 0, requests, collection: '', name, lane: table.kind };
  }
}

/** Returns the requests of a row; undefined if a kind is not served. */
function requestsOf(table: RuleTable, row: Rule, all: readonly Changes[], pathOf: PathOf): readonly Request[] | undefined {
  const { apiVersion = table.apiVersion, on = 'create', via = 'status' } = row;
  const base = named({ apiVersion, kind: table.kind, ...table.base });
  const requests: Request[] = [];
  const store = (object: TestObject, part: string): boolean => {
    const path = pathOf(object);
    if (path === undefined) return false;
    requests.push({ method: 'POST', path, body: object });
    const own = `${path}/${object.metadata.name}`;
    if (part === 'delete') requests.push({ method: 'DELETE', path: own });
    else if (object.status !== undefined)
      requests.push({ method: 'PUT', path: `${own}/${part}`, edits: own, body: { status: object.status } });
    return true;
  };
  for (const object of row.given ?? table.given ?? []) if (!store(named(object), 'status')) return undefined;
  const path = pathOf(base);
  if (path === undefined) return undefined;
  if (on === 'create') {
    const sent = all.map((changes) => changed(base, row.from, row.with, changes));
    return [...requests, ...sent.map((body) => ({ method: 'POST', path: `${path}?dryRun=All`, body }))];
  }
  const stored = named(changed(base, row.from));
  store(stored, via);
  const own = `${path}/${stored.metadata.name}`;
  if (on === 'delete') return [...requests, { method: 'DELETE', path: `${own}?dryRun=All` }];
  const target = `${own}${on === 'update' ? '' : `/${on}`}?dryRun=All`;
  const edits = on === 'scale' ? `${own}/scale` : own;
  const sent = all.map((changes) => changed(stored, row.with, changes));
  return [...requests, ...sent.map((body) => ({ method: 'PUT', path: target, edits, body }))];
}

function named(object: TestObject): TestObject {
  const { metadata = {} } = object;
  return metadata.name !== undefined || metadata.generateName !== undefined ? object : { ...object, metadata: { name, ...metadata } };
}
