import type { Corpus, CorpusDocument } from '../support/crd-corpus.ts';
import type { TestObject } from '../support/test-object.ts';
import { type Difference, differencesBetween, normalized, withoutProse } from './compare.ts';
import type { Servers } from './servers.ts';
import type { Side, SideResponse } from './side.ts';

type Sides = Servers['sides'];
type Both<T> = readonly [T, T];

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The number of polls of a server, and their interval in milliseconds. */
const attempts = 600;
const pause = 50;

/** Compares both servers' handling of real projects' definitions and objects. */
export class CorpusComparison {
  readonly #sides: Sides;
  readonly #crds = new Map<string, TestObject>();
  readonly #namespaces = new Set<string>();
  readonly #counts = { definitions: 0, samples: 0, rejected: 0, schemas: 0, comparisons: 0, differences: 0 };

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  async run(corpus: Corpus): Promise<void> {
    for (const document of corpus.documents('crds')) await this.#define(document);
    for (const folder of ['samples', 'samples-invalid']) {
      for (const document of corpus.documents(folder)) await this.#exercise(document);
    }
    const [reference, own] = await this.#both(async (side) => (await side.send('GET', '/openapi/v2')).json.definitions);
    for (const crd of this.#crds.values()) await this.#compareSchemas(crd, [reference, own]);
  }

  /** Prints the counts. Returns the exit status. */
  report(): number {
    console.log(
      Object.entries(this.#counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    );
    return this.#counts.differences === 0 ? 0 : 1;
  }

  async #define({ file, text, object }: CorpusDocument): Promise<void> {
    this.#counts.definitions++;
    const created = await this.#both((side) => side.send('POST', definitions, text));
    this.#compareAnswers(file, created);
    const path = `${definitions}/${object.metadata.name}`;
    const awaited = ['NamesAccepted', 'Established'];
    if (object.spec.group.endsWith('.k8s.io')) awaited.push('KubernetesAPIApprovalPolicyConformant');
    const isServed = ({ json }: SideResponse): boolean =>
      awaited.every((wanted) => json.status?.conditions?.some(({ type, status }: TestObject) => type === wanted && status === 'True'));
    const stored = await this.#both((side) => until(() => side.send('GET', path), isServed));
    this.#compareAnswers(`${file} stored`, stored);
    this.#crds.set(`${object.spec.group} ${object.spec.names.kind}`, stored[1].json);
  }

  async #exercise({ file, text, object }: CorpusDocument): Promise<void> {
    const { apiVersion = '', kind, metadata } = object;
    const [group] = apiVersion.split('/');
    const crd = this.#crds.get(`${group} ${kind}`);
    if (crd === undefined) return;
    this.#counts.samples++;
    const { scope, names, versions } = crd.spec;
    const { namespace = 'default', name } = metadata;
    const place = scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
    if (place !== '') await this.#createNamespace(namespace);
    const path = `/apis/${apiVersion}${place}/${names.plural}`;
    const created = await this.#both((side) => side.send('POST', `${path}?fieldManager=corpus`, text));
    const what = `${file} ${kind} ${name ?? ''}`;
    this.#compareAnswers(what, created);
    if (created[1].status !== 201 || created[0].status !== 201) {
      this.#counts.rejected++;
      return;
    }
    const paths = created.map(({ json }) => `${place}/${names.plural}/${json.metadata.name}`);
    for (const { name: version, served } of versions) {
      if (!served) continue;
      const read = await this.#both((side, index) => side.send('GET', `/apis/${group}/${version}${paths[index]}`));
      this.#compareAnswers(`${what} at ${version}`, read);
    }
    await this.#both((side, index) => side.send('DELETE', `/apis/${apiVersion}${paths[index]}`));
  }

  /** Creates a namespace on this server only: the reference accepts any name. */
  async #createNamespace(name: string): Promise<void> {
    if (this.#namespaces.has(name)) return;
    this.#namespaces.add(name);
    await this.#sides[1].send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name } }));
  }

  async #compareSchemas({ spec }: TestObject, v2: Both<TestObject>): Promise<void> {
    const { group, names, versions } = spec;
    for (const { name: version, served } of versions) {
      if (!served) continue;
      const models = [names.kind, names.listKind].map((kind) => `${group.split('.').reverse().join('.')}.${version}.${kind}`);
      const hasModels = ({ json }: SideResponse): boolean => models.every((model) => json.components?.schemas?.[model]);
      const documents = await this.#both((side) => until(() => side.send('GET', `/openapi/v3/apis/${group}/${version}`), hasModels));
      for (const model of models) {
        this.#counts.schemas += 2;
        const v3 = documents.map(({ json }) => withoutProse(json.components?.schemas?.[model]));
        this.#compare(`OpenAPI v3 ${model}`, v3[0], v3[1], isNewInSchemas);
        this.#compare(`OpenAPI v2 ${model}`, withoutProse(v2[0][model]), withoutProse(v2[1][model]), isNewInSchemas);
      }
    }
  }

  #both<T>(ask: (side: Side, index: 0 | 1) => Promise<T>): Promise<Both<T>> {
    return Promise.all([ask(this.#sides[0], 0), ask(this.#sides[1], 1)]);
  }

  #compareAnswers(what: string, [reference, own]: Both<SideResponse>): void {
    this.#compare(what, normalized(reference), normalized(own));
  }

  /** @param isMeant selects differences that do not count */
  #compare(what: string, reference: unknown, own: unknown, isMeant: (difference: Difference) => boolean = () => false): void {
    this.#counts.comparisons++;
    const found = differencesBetween(reference, own).filter((one) => !isMeant(one));
    if (found.length === 0) return;
    this.#counts.differences++;
    console.log(what);
    for (const one of found.slice(0, 20)) {
      console.log(`  ${one.path}\n    reference ${excerpt(one.reference)}\n    own       ${excerpt(one.own)}`);
    }
    if (found.length > 20) console.log(`  and ${found.length - 20} more`);
  }
}

/**
 * v1.36 publishes these members of schemas; v1.35 drops them. (apiextensions-apiserver pkg/apiserver/schema/convert.go)
 */
const isNewInSchemas = ({ path, own }: Difference): boolean =>
  own === undefined && /(?<!\.properties)\.(?:example|externalDocs)$/.test(path);

const excerpt = (value: unknown): string => (JSON.stringify(value) ?? '(absent)').slice(0, 1000);

/** Returns the first expected response, or the last one. */
async function until(ask: () => Promise<SideResponse>, isRight: (response: SideResponse) => boolean): Promise<SideResponse> {
  let response = await ask();
  for (let left = attempts; left > 0 && !isRight(response); left--) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    response = await ask();
  }
  return response;
}
