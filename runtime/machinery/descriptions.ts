import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedFolder } from './openapi-folder.ts';

/**
 * The descriptions of a type by field, where "" is the type itself; or the descriptions of operations or parameters.
 */
type Texts = Readonly<Record<string, string>>;

const none: Texts = {};

/**
 * Kubernetes' descriptions of its types, fields, operations and parameters. The build takes them from packages that may
 * be missing (codegen/describe). Without them, every description is undefined.
 */
export class Descriptions {
  readonly #file: string | undefined;
  /**
   * The descriptions that were read. The file is read again for each new name, so that its megabyte does not stay in
   * memory.
   */
  readonly #known = new Map<string, Texts>();

  /** @param file contains lines of a name, a tab, and the name's texts as JSON */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** @param name as `io.k8s.api.core.v1.Pod` */
  type(name: string): string | undefined {
    return this.field(name, '');
  }

  /**
   * @param type its name in OpenAPI documents, or `io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta` for the apiVersion and kind
   *   of every object
   */
  field(type: string, field: string): string | undefined {
    return textOf(this.#texts(type), field);
  }

  /** @param action the verb of the API, as `get` or `deletecollection`; `post` creates and `put` replaces */
  operation(action: string, kind: string, subresource = ''): string | undefined {
    return textOf(this.#texts('#operations'), subresource === '' ? action : `${action}/`)
      ?.replace('{a}', articleOf(kind))
      .replace('{kind}', kind)
      .replace('{subresource}', subresource);
  }

  /** @param operationId of a GET outside of group-versions; `getAPIGroup` for all groups */
  root(operationId: string): string | undefined {
    return textOf(this.#texts('#roots'), operationId);
  }

  /** Returns the description of a parameter in the URL. */
  parameter(action: string, name: string, kind: string): string | undefined {
    const texts = this.#texts('#parameters');
    return (textOf(texts, `${action} ${name}`) ?? textOf(texts, name))?.replace('{kind}', kind);
  }

  #texts(name: string): Texts {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#file === undefined ? none : textsIn(readFileSync(this.#file), name);
      this.#known.set(name, known);
    }
    return known;
  }
}

function textsIn(bytes: Buffer, name: string): Texts {
  const start = `\n${name}\t`;
  const at = bytes.indexOf(start);
  if (at === -1) return none;
  const from = at + Buffer.byteLength(start);
  return JSON.parse(bytes.toString('utf8', from, bytes.indexOf('\n', from)));
}

const textOf = (texts: Texts, key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key] : undefined);

/** Returns the article between a verb and a kind. Plurals have none. (apiserver pkg/endpoints GetArticleForNoun) */
function articleOf(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return ' ';
  return /^[aeiou]/i.test(kind) ? ' an ' : ' a ';
}

const folder = describedFolder(import.meta.url, 'v1.35');

/** Kubernetes' own descriptions, if the build found them. */
export const descriptions = new Descriptions(folder && join(folder, 'descriptions.tsv'));
