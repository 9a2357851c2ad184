import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { NodeLog, nodes } from './node-log.ts';
import type { Scanner } from './scanner.ts';
import { kinds, type Token, type TokenKind } from './token.ts';

/** The next step of the parser. */
type State = () => void;

/**
 * The context of a node. Block collections begin only in blocks, and a sequence may have the indent of the mapping
 * around it.
 */
type Place = 'sequence' | 'mapping' | 'flow';

/**
 * Parses the first document of a stream. Returns undefined if there is none. Reads only the first token of the next
 * document. (libyaml parserc.go)
 *
 * @throws DecodeError with go-yaml's messages
 */
export function parseDocument(scanner: Scanner): NodeLog | undefined {
  return new Parser(scanner).parse();
}

/** libyaml's state machine. It does not recurse, even for deeply nested documents. */
class Parser {
  readonly #scanner: Scanner;
  readonly #log = new NodeLog();
  /** The stack of steps. The last is the next step; those below it continue the enclosing collections. */
  readonly #states: State[] = [];
  /** Tag prefixes by handle. */
  readonly #handles = new Map<string, string>();
  /** The index of the last node of each anchor. */
  readonly #anchors = new Map<string, number>();

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  parse(): NodeLog | undefined {
    this.#next(); // the start of the stream
    const first = this.#peek();
    if (first.kind === kinds.streamEnd) return undefined;
    const explicit = first.kind === kinds.versionDirective || first.kind === kinds.tagDirective || first.kind === kinds.documentStart;
    this.#directives();
    if (explicit) {
      const start = this.#peek();
      if (start.kind !== kinds.documentStart) throw failure(start, 'did not find expected <document start>');
      const token = this.#next();
      if (documentBounds.has(token.kind)) this.#empty(token.line);
      else this.#node('sequence');
    } else this.#node('sequence');
    for (let state = this.#states.pop(); state !== undefined; state = this.#states.pop()) state();
    this.#peek();
    return this.#log;
  }

  #peek(): Token {
    return this.#scanner.peek();
  }

  /** Skips a token and returns the next one. */
  #next(): Token {
    this.#peek();
    this.#scanner.skip();
    return this.#peek();
  }

  #directives(): void {
    let versions = 0;
    for (let token = this.#peek(); ; token = this.#next()) {
      if (token.kind === kinds.versionDirective) {
        if (versions++ > 0) throw failure(token, 'found duplicate %YAML directive');
        if (token.value !== '1.1') throw failure(token, 'found incompatible YAML document');
      } else if (token.kind === kinds.tagDirective) {
        if (this.#handles.has(token.value)) throw failure(token, 'found duplicate %TAG directive');
        this.#handles.set(token.value, token.suffix);
      } else break;
    }
    if (!this.#handles.has('!')) this.#handles.set('!', '!');
    if (!this.#handles.has('!!')) this.#handles.set('!!', 'tag:yaml.org,2002:');
  }

  /** Adds an empty node. */
  #empty(line: number): void {
    this.#log.push(nodes.scalar, line, '', true);
  }

  #node(place: Place): void {
    const log = this.#log;
    let token = this.#peek();
    if (token.kind === kinds.alias) {
      const target = this.#anchors.get(token.value);
      this.#scanner.skip();
      if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${token.value}' referenced`);
      log.push(nodes.alias, token.line, target);
      return;
    }
    const { line } = token;
    let anchor = '';
    let tagToken: Token | undefined;
    for (let i = 0; i < 2; i++) {
      if (token.kind === kinds.anchor && anchor === '') anchor = token.value;
      else if (token.kind === kinds.tag && tagToken === undefined) tagToken = token;
      else break;
      token = this.#next();
    }
    const tag = tagToken === undefined ? '' : this.#tag(tagToken);
    if (anchor !== '') {
      this.#anchors.set(anchor, log.length);
      log.push(nodes.anchor, line, anchor);
    }
    if (tag !== '') log.push(nodes.tag, line, tag);
    const { kind } = token;
    if (kind === kinds.scalar) {
      log.push(nodes.scalar, line, token.value, (tag === '' && token.isPlain) || tag === '!');
      this.#scanner.skip();
    } else if (kind === kinds.flowSequenceStart) this.#start(nodes.sequence, line, this.#flowSequenceFirst);
    else if (kind === kinds.flowMappingStart) this.#start(nodes.mapping, line, this.#flowMappingFirst);
    else if (kind === kinds.blockEntry && place === 'mapping') {
      log.push(nodes.sequence, line);
      this.#states.push(this.#indentlessSequence);
    } else if (kind === kinds.blockSequenceStart && place !== 'flow') {
      this.#start(nodes.sequence, line, this.#blockSequence);
    } else if (kind === kinds.blockMappingStart && place !== 'flow') {
      this.#start(nodes.mapping, line, this.#blockMappingKey);
    } else if (anchor !== '' || tag !== '') log.push(nodes.scalar, line, '', tag === '');
    else throw failure(token, 'did not find expected node content');
  }

  #tag(token: Token): string {
    if (token.value === '') return token.suffix;
    const prefix = this.#handles.get(token.value);
    if (prefix === undefined) throw failure(token, 'found undefined tag handle');
    return prefix + token.suffix;
  }

  #start(kind: typeof nodes.sequence | typeof nodes.mapping, line: number, entries: State): void {
    this.#log.push(kind, line);
    this.#scanner.skip();
    this.#states.push(entries);
  }

  #end({ line }: Token): void {
    this.#log.push(nodes.end, line);
  }

  /** Parses a node, then enters a state. The node is empty if one of those tokens is next. */
  #entry(absentBefore: ReadonlySet<TokenKind>, line: number, place: Place, then: State): void {
    this.#states.push(then);
    if (absentBefore.has(this.#peek().kind)) this.#empty(line);
    else this.#node(place);
  }

  readonly #blockSequence: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.blockEntry) {
      this.#scanner.skip();
      this.#entry(afterBlockEntry, token.line, 'sequence', this.#blockSequence);
    } else if (token.kind === kinds.blockEnd) {
      this.#end(token);
      this.#scanner.skip();
    } else throw failure(token, "did not find expected '-' indicator");
  };

  readonly #indentlessSequence: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.blockEntry) {
      this.#scanner.skip();
      this.#entry(afterIndentlessEntry, token.line, 'sequence', this.#indentlessSequence);
    } else this.#end(token);
  };

  readonly #blockMappingKey: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.key) {
      this.#scanner.skip();
      this.#entry(afterBlockKey, token.line, 'mapping', this.#blockMappingValue);
    } else if (token.kind === kinds.blockEnd) {
      this.#end(token);
      this.#scanner.skip();
    } else throw failure(token, 'did not find expected key');
  };

  readonly #blockMappingValue: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.value) {
      this.#scanner.skip();
      this.#entry(afterBlockKey, token.line, 'mapping', this.#blockMappingKey);
    } else {
      this.#states.push(this.#blockMappingKey);
      this.#empty(token.line);
    }
  };

  readonly #flowSequenceFirst: State = () => this.#flowSequenceEntry(this.#peek());

  readonly #flowSequence: State = () => {
    let token = this.#peek();
    if (token.kind === kinds.flowEntry) token = this.#next();
    else if (token.kind !== kinds.flowSequenceEnd) throw failure(token, "did not find expected ',' or ']'");
    this.#flowSequenceEntry(token);
  };

  #flowSequenceEntry(token: Token): void {
    if (token.kind === kinds.flowSequenceEnd) {
      this.#end(token);
      this.#scanner.skip();
    } else if (token.kind === kinds.key) this.#start(nodes.mapping, token.line, this.#flowPairKey);
    else {
      this.#states.push(this.#flowSequence);
      this.#node('flow');
    }
  }

  readonly #flowPairKey: State = () => {
    const token = this.#peek();
    if (!afterFlowPairKey.has(token.kind)) {
      this.#entry(afterFlowPairKey, token.line, 'flow', this.#flowPairValue);
      return;
    }
    // go-yaml loses this token
    this.#scanner.skip();
    this.#states.push(this.#flowPairValue);
    this.#empty(token.line);
  };

  readonly #flowPairValue: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.value) {
      this.#scanner.skip();
      this.#entry(afterFlowPairValue, token.line, 'flow', this.#flowPairEnd);
    } else {
      this.#states.push(this.#flowPairEnd);
      this.#empty(token.line);
    }
  };

  readonly #flowPairEnd: State = () => {
    this.#end(this.#peek());
    this.#states.push(this.#flowSequence);
  };

  readonly #flowMappingFirst: State = () => this.#flowMappingEntry(this.#peek());

  readonly #flowMapping: State = () => {
    let token = this.#peek();
    if (token.kind === kinds.flowEntry) token = this.#next();
    else if (token.kind !== kinds.flowMappingEnd) throw failure(token, "did not find expected ',' or '}'");
    this.#flowMappingEntry(token);
  };

  #flowMappingEntry(token: Token): void {
    if (token.kind === kinds.flowMappingEnd) {
      this.#end(token);
      this.#scanner.skip();
    } else if (token.kind === kinds.key) {
      const next = this.#next();
      this.#entry(afterFlowKey, next.line, 'flow', this.#flowMappingValue);
    } else {
      this.#states.push(this.#flowMappingNoValue);
      this.#node('flow');
    }
  }

  readonly #flowMappingValue: State = () => {
    const token = this.#peek();
    if (token.kind === kinds.value) {
      const next = this.#next();
      this.#entry(afterFlowValue, next.line, 'flow', this.#flowMapping);
    } else this.#flowMappingNoValue();
  };

  readonly #flowMappingNoValue: State = () => {
    this.#states.push(this.#flowMapping);
    this.#empty(this.#peek().line);
  };
}

const { versionDirective, tagDirective, documentStart, documentEnd, streamEnd } = kinds;
const { blockEntry, blockEnd, key, value, flowEntry, flowSequenceEnd, flowMappingEnd } = kinds;
type KindSet = ReadonlySet<TokenKind>;
/** Tokens before which a node is empty. */
const documentBounds: KindSet = new Set([versionDirective, tagDirective, documentStart, documentEnd, streamEnd]);
const afterBlockEntry: KindSet = new Set([blockEntry, blockEnd]);
const afterIndentlessEntry: KindSet = new Set([blockEntry, key, value, blockEnd]);
const afterBlockKey: KindSet = new Set([key, value, blockEnd]);
const afterFlowPairKey: KindSet = new Set([value, flowEntry, flowSequenceEnd]);
const afterFlowPairValue: KindSet = new Set([flowEntry, flowSequenceEnd]);
const afterFlowKey: KindSet = new Set([value, flowEntry, flowMappingEnd]);
const afterFlowValue: KindSet = new Set([flowEntry, flowMappingEnd]);

/** Returns an error of the parser. As in go-yaml, lines start at 0 and the first line is not named. */
function failure({ line }: Token, problem: string): DecodeError {
  return new DecodeError(line === 0 ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}
