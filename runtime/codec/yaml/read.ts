import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
} from 'yaml';
import { DecodeError, isDecodeError } from '../../machinery/decode-error.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';
import { DepthGuard, maxYamlDepth } from './depth-guard.ts';
import { resolvePlain } from './resolve.ts';

/** A document may grow by its aliases up to this, in values and characters together, and ten times its length. */
const freeGrowth = 400_000;
const growthFactor = 10;

/**
 * Reads the first document of a YAML stream as sigs.k8s.io/yaml reads it. The parser gives the tree with all
 * scalars as text; what they mean is decided here, as go-yaml v2 decides it.
 */
export function readYaml(text: string, duplicates: string[] | undefined): Json {
  const lines = new LineCounter();
  try {
    const options = { schema: 'failsafe', version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const;
    const composer = new Composer(options);
    const document = composer.compose(tokensOf(text, lines), true, text.length).next().value as
      | Document.Parsed
      | undefined;
    if (document === undefined) return null;
    const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
    if (error !== undefined) throw syntaxError(lines.linePos(error.pos[0]).line, error.message);
    const reader = new Reader(lines, freeGrowth + growthFactor * text.length);
    const value = document.contents === null ? null : reader.read(document.contents);
    if (duplicates !== undefined && reader.repeated.length > 0) {
      duplicates.push(`yaml: unmarshal errors:\n  ${reader.repeated.join('\n  ')}`);
    }
    return value;
  } catch (error) {
    if (isDecodeError(error)) throw error;
    // The guard leaves the library's recursion room enough, but it is the library's.
    throw (error as Error).name === 'RangeError' ? tooDeep() : error;
  }
}

/** Parser.parse, with a guard between lexer and parser. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  const guard = new DepthGuard();
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    guard.next(lexeme);
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

const tooDeep = (): DecodeError => new DecodeError(`yaml: exceeded max depth of ${maxYamlDepth}`);

/** The library's message without its excerpt. */
function syntaxError(line: number, message: string): DecodeError {
  const text = message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '');
  return new DecodeError(`yaml: line ${line}: ${text}`);
}

class Reader {
  /** `line 3: key "a" already set in map`, in document order. */
  readonly repeated: string[] = [];
  readonly #lines: LineCounter;
  /** The node that each name stands for so far: the last one before the alias counts. */
  readonly #anchors = new Map<string, Node>();
  /** Aliases being read, outermost first; anchors within them are known already. */
  readonly #open = new Set<Node>();
  #budget: number;
  #depth = 0;

  constructor(lines: LineCounter, budget: number) {
    this.#lines = lines;
    this.#budget = budget;
  }

  read(node: unknown): Json {
    this.#spend(1);
    if (node === null || node === undefined) return null;
    this.#note(node);
    if (isScalar(node)) return this.#scalar(node);
    if (++this.#depth > maxYamlDepth) throw tooDeep();
    let value: Json;
    if (isAlias(node)) value = this.#expand(node);
    else if (isSeq(node)) value = node.items.map((item) => this.read(item));
    else if (isMap(node)) value = this.#mapping(node.items, {});
    else throw new DecodeError('yaml: unknown node');
    this.#depth--;
    return value;
  }

  #spend(weight: number): void {
    this.#budget -= weight;
    if (this.#budget < 0) throw new DecodeError('yaml: document contains excessive aliasing');
  }

  #note(node: unknown): void {
    if (!isNode(node) || isAlias(node) || node.anchor === undefined) return;
    if (this.#open.size === 0) this.#anchors.set(node.anchor, node);
  }

  #resolve(alias: Alias): Node {
    const node = this.#anchors.get(alias.source);
    if (node === undefined) throw new DecodeError(`yaml: unknown anchor '${alias.source}' referenced`);
    return node;
  }

  #expand(alias: Alias): Json {
    const node = this.#resolve(alias);
    if (this.#open.has(node)) throw new DecodeError(`yaml: anchor '${alias.source}' value contains itself`);
    this.#open.add(node);
    const value = this.read(node);
    this.#open.delete(node);
    return value;
  }

  #mapping(pairs: readonly { key: unknown; value: unknown }[], object: JsonObject): JsonObject {
    const explicit = new Set<string>();
    for (const { key, value } of pairs) {
      if (isScalar(key) && key.type === 'PLAIN' && key.value === '<<') {
        this.#merge(value, object);
        continue;
      }
      const name = this.#key(key);
      if (explicit.has(name))
        this.repeated.push(`line ${this.#line(value ?? key)}: key ${quote(name)} already set in map`);
      explicit.add(name);
      const member = this.read(value);
      Object.defineProperty(object, name, { value: member, writable: true, enumerable: true, configurable: true });
    }
    return object;
  }

  /** `<<`: the members of one mapping or several, the first of which wins. */
  #merge(node: unknown, object: JsonObject): void {
    const source = isAlias(node) ? this.#resolve(node) : node;
    const sources = isSeq(source) ? [...source.items].reverse() : [source];
    for (const item of sources) {
      const mapping = isAlias(item) ? this.#resolve(item) : item;
      this.#note(mapping);
      if (!isMap(mapping)) throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
      if (++this.#depth > maxYamlDepth) throw tooDeep();
      this.#spend(1);
      this.#mapping(mapping.items, object);
      this.#depth--;
    }
  }

  /** Keys of other types become text, as JSON needs it. */
  #key(node: unknown): string {
    const target = isAlias(node) ? this.#resolve(node) : node;
    if (isScalar(node)) this.#note(node);
    const value = isScalar(target) ? this.#scalar(target) : null;
    if (value === null || typeof value === 'object') throw new DecodeError('yaml: unsupported map key');
    return String(value);
  }

  #line(node: unknown): number {
    const range = (node as Node).range;
    return range ? this.#lines.linePos(range[0]).line : 0;
  }

  #scalar(node: Scalar): Json {
    const text = String(node.value ?? '');
    this.#spend(text.length);
    const value = resolveTagged(node.tag, text, node.type === 'PLAIN' || node.type === undefined);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
      throw new DecodeError(`json: unsupported value: ${shown}`);
    }
    return value;
  }
}

const tagPrefix = 'tag:yaml.org,2002:';

function resolveTagged(tag: string | undefined, text: string, plain: boolean): Json {
  const name = tag?.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : undefined;
  switch (name) {
    case undefined:
      return plain && tag === undefined ? resolvePlain(text) : text;
    case 'int':
    case 'float':
    case 'bool':
    case 'null': {
      const value = resolvePlain(text);
      if (matches(name, value)) return value;
      throw new DecodeError(`yaml: cannot decode ${tagOf(value)} \`${text}\` as a !!${name}`);
    }
    case 'binary':
      if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) {
        throw new DecodeError('yaml: !!binary value contains invalid base64 data');
      }
      return Buffer.from(text, 'base64').toString('utf8');
    default:
      return text;
  }
}

function matches(tag: 'int' | 'float' | 'bool' | 'null', value: Json): boolean {
  switch (tag) {
    case 'int':
      return typeof value === 'bigint' || Number.isInteger(value);
    case 'float':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
  }
}

function tagOf(value: Json): string {
  if (value === null) return '!!null';
  if (typeof value === 'boolean') return '!!bool';
  if (typeof value === 'string') return '!!str';
  return Number.isInteger(value) || typeof value === 'bigint' ? '!!int' : '!!float';
}
