import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { maxDepth } from '../../machinery/limits.ts';

import { decodeGoUtf8 } from '../json/utf8.ts';
import type { AliasBudget } from './alias-budget.ts';
import { type NodeLog, nodes } from './node-log.ts';
import { type CoreTag, type Resolved, resolvePlain, resolveTagged, tagOf } from './resolve.ts';

/** Builds values from sequences, mappings and scalars. */
export interface Builder<Value, Mapping> {
  scalar(value: Resolved): Value;
  mapping(): Mapping;
  /**
   * @param at the index of the value in the log
   * @returns whether the mapping already had the key
   */
  set(mapping: Mapping, key: Resolved, value: Value, at: number): boolean;
  /** Called when a mapping is complete. */
  value(mapping: Mapping): Value;
}

export interface DecodeLimits {
  /** Counts all decoded nodes. */
  readonly budget: AliasBudget;
  /** Called for a repeated key, with the index of its value in the log. */
  readonly onRepeated?: ((key: Resolved, at: number) => void) | undefined;
  /** Returns the error for a sequence or mapping that is used as a key; `at` is its index in the log. */
  readonly invalidKey: (at: number) => Error;
}

const longTag = 'tag:yaml.org,2002:';
const coreTags: ReadonlySet<string> = new Set<CoreTag>(['null', 'bool', 'str', 'int', 'float', 'timestamp']);

/**
 * Decodes the node at an index of the log: resolves scalars, follows aliases and merges mappings. (go-yaml v2
 * decode.go)
 *
 * @throws DecodeError with go-yaml's messages, and if nodes nest deeper than maxDepth
 */
export function decodeNode<Value, Mapping>(log: NodeLog, at: number, builder: Builder<Value, Mapping>, limits: DecodeLimits): Value {
  return new Decoder(log, at, builder, limits).read();
}

class Decoder<Value, Mapping> {
  readonly #log: NodeLog;
  readonly #builder: Builder<Value, Mapping>;
  readonly #limits: DecodeLimits;
  /** The index of the next node. */
  #at: number;
  #depth = 0;
  /** The indices of the aliases that are being followed. */
  readonly #open = new Set<number>();

  constructor(log: NodeLog, at: number, builder: Builder<Value, Mapping>, limits: DecodeLimits) {
    this.#log = log;
    this.#at = at;
    this.#builder = builder;
    this.#limits = limits;
  }

  /** Decodes the node at the cursor and skips it. */
  read(): Value {
    this.#count();
    const log = this.#log;
    const start = this.#at;
    const at = log.content(start);
    this.#at = at + 1;
    switch (log.kind(at)) {
      case nodes.scalar:
        return this.#builder.scalar(this.#scalar(start, at));
      case nodes.alias:
        return this.#follow(at, () => this.read());
      case nodes.sequence:
        return this.#sequence();
      default: {
        const mapping = this.#builder.mapping();
        this.#members(mapping);
        return this.#builder.value(mapping);
      }
    }
  }

  #count(): void {
    this.#limits.budget.count(this.#open.size > 0);
  }

  #enter(): void {
    if (++this.#depth > maxDepth) throw new DecodeError(`yaml: exceeded max depth of ${maxDepth}`);
  }

  #follow<T>(at: number, read: () => T): T {
    const target = this.#log.target(at);
    if (this.#open.has(at)) throw new DecodeError(`yaml: anchor '${this.#log.text(target)}' value contains itself`);
    this.#open.add(at);
    const next = this.#at;
    this.#at = target;
    const value = read();
    this.#at = next;
    this.#open.delete(at);
    return value;
  }

  #sequence(): Value {
    const items: Value[] = [];
    this.#enter();
    while (this.#log.kind(this.#at) !== nodes.end) items.push(this.read());
    this.#at++;
    this.#depth--;
    // the first push reserves space for seventeen items; a copy does not
    return (items.length < 17 ? items.slice() : items) as Value;
  }

  /** Decodes the members of a mapping, possibly into another mapping. */
  #members(mapping: Mapping): void {
    const log = this.#log;
    this.#enter();
    while (log.kind(this.#at) !== nodes.end) {
      if (this.#isMergeKey()) {
        this.#at = log.content(this.#at) + 1;
        this.#merge(mapping);
        continue;
      }
      const key = this.#key();
      const at = this.#at;
      const value = this.read();
      if (this.#builder.set(mapping, key, value, at)) this.#limits.onRepeated?.(key, at);
    }
    this.#at++;
    this.#depth--;
  }

  #key(): Resolved {
    const log = this.#log;
    const start = this.#at;
    const at = log.content(start);
    const kind = log.kind(at);
    if (kind === nodes.scalar) {
      this.#count();
      this.#at = at + 1;
      return this.#scalar(start, at);
    }
    if (kind === nodes.alias && log.kind(log.content(log.target(at))) === nodes.scalar) {
      this.#count();
      this.#at = at + 1;
      return this.#follow(at, () => this.#key());
    }
    // errors inside the key come first
    this.read();
    throw this.#limits.invalidKey(start);
  }

  #isMergeKey(): boolean {
    const log = this.#log;
    const at = log.content(this.#at);
    if (log.kind(at) !== nodes.scalar || log.text(at) !== '<<') return false;
    return log.isPlain(at) || this.#tag(this.#at, at) === `${longTag}merge`;
  }

  /** Decodes the value of a merge key: a mapping, or a list of mappings, in which the first wins. */
  #merge(mapping: Mapping): void {
    const log = this.#log;
    const at = log.content(this.#at);
    if (log.kind(at) !== nodes.sequence) {
      this.#mergeOne(mapping);
      return;
    }
    const items: number[] = [];
    let item = at + 1;
    for (; log.kind(item) !== nodes.end; item = log.after(item)) items.push(item);
    for (const start of items.reverse()) {
      this.#at = start;
      this.#mergeOne(mapping);
    }
    this.#at = item + 1;
  }

  #mergeOne(mapping: Mapping): void {
    const log = this.#log;
    const at = log.content(this.#at);
    const isAlias = log.kind(at) === nodes.alias;
    const target = isAlias ? log.content(log.target(at)) : at;
    if (log.kind(target) !== nodes.mapping) {
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    }
    this.#count();
    this.#at = at + 1;
    if (!isAlias) this.#members(mapping);
    else {
      this.#follow(at, () => {
        this.#count();
        this.#at = target + 1;
        this.#members(mapping);
      });
    }
  }

  #tag(start: number, at: number): string {
    for (let i = start; i < at; i++) if (this.#log.kind(i) === nodes.tag) return this.#log.text(i);
    return '';
  }

  #scalar(start: number, at: number): Resolved {
    const log = this.#log;
    const text = log.text(at);
    if (this.#open.size > 0) this.#limits.budget.countText(text.length);
    const tag = start === at ? '' : this.#tag(start, at);
    if (tag === '') return log.isPlain(at) ? resolvePlain(text) : text;
    const name = tag.startsWith(longTag) ? tag.slice(longTag.length) : '';
    if (name === 'binary') return decodeBinary(text);
    if (!coreTags.has(name)) return text;
    const value = resolveTagged(name as CoreTag, text);
    if (value !== undefined) return value;
    throw new DecodeError(`yaml: cannot decode !!${tagOf(resolvePlain(text))} \`${text}\` as a !!${name}`);
  }
}

/** Decodes standard base64 with full padding. Ignores line breaks. */
function decodeBinary(text: string): string {
  const digits = text.replace(/[\r\n]+/g, '');
  const isWhole = digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
  if (!isWhole) throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  return decodeGoUtf8(Buffer.from(digits, 'base64'));
}
