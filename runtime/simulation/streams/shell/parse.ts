/** A part of a word: literal text, or the name of a variable. */
export type WordPart = string | { readonly variable: string };
export type Word = readonly WordPart[];

export interface Redirection {
  readonly kind: '>' | '>>' | '<' | '2>' | '2>&1' | '>&2';
  readonly to: Word;
}

export interface SimpleCommand {
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

/** A pipeline and its condition: runs always, or only if the previous one succeeded or failed. */
export interface Step {
  readonly when: ';' | '&&' | '||';
  readonly pipeline: readonly SimpleCommand[];
}

export class ShellSyntaxError extends Error {}

/** The longest script, in characters. */
const maxLength = 64 * 1024;
const operators = ['2>&1', '1>&2', '>&2', '&&', '||', '>>', '2>', '>', '<', '|', ';', '\n'] as const;
type Operator = (typeof operators)[number];
type Token = { readonly word: Word } | { readonly operator: Operator };

/**
 * Parses the supported part of sh: lists, pipelines, redirections, assignments, quotes, variables.
 *
 * @throws ShellSyntaxError
 */
export function parseScript(text: string): Step[] {
  if (text.length > maxLength) throw new ShellSyntaxError('script too long');
  const steps: Step[] = [];
  let when: Step['when'] = ';';
  let pipeline: SimpleCommand[] = [];
  let current = emptyCommand();
  const endCommand = (operator: string): void => {
    if (!isEmpty(current)) pipeline.push(current);
    else if (pipeline.length > 0 || operator === '|' || operator === '&&' || operator === '||') throw unexpected(operator);
    current = emptyCommand();
  };
  const tokens = [...tokensOf(text)];
  for (let at = 0, token = tokens[at]; token !== undefined; token = tokens[++at]) {
    if ('word' in token) addWord(current, token.word);
    else if (token.operator === '|') endCommand('|');
    else if (token.operator === '2>&1') current.redirections.push({ kind: '2>&1', to: [] });
    else if (token.operator === '1>&2' || token.operator === '>&2') current.redirections.push({ kind: '>&2', to: [] });
    else if (token.operator === '>' || token.operator === '>>' || token.operator === '<' || token.operator === '2>') {
      const next = tokens[++at];
      if (next === undefined || !('word' in next)) throw unexpected(next?.operator ?? 'newline');
      current.redirections.push({ kind: token.operator, to: next.word });
    } else {
      endCommand(token.operator);
      if (pipeline.length > 0) steps.push({ when, pipeline });
      pipeline = [];
      when = token.operator === '\n' ? ';' : token.operator;
    }
  }
  if (isEmpty(current) && when !== ';') throw unexpected('end of file');
  endCommand('end of file');
  if (pipeline.length > 0) steps.push({ when, pipeline });
  return steps;
}

interface CommandBeingRead {
  readonly assignments: { name: string; value: Word }[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}

const emptyCommand = (): CommandBeingRead => ({ assignments: [], words: [], redirections: [] });

const isEmpty = ({ assignments, words, redirections }: SimpleCommand): boolean =>
  assignments.length + words.length + redirections.length === 0;

const unexpected = (text: string): ShellSyntaxError => new ShellSyntaxError(`syntax error: unexpected ${JSON.stringify(text)}`);

function addWord(command: CommandBeingRead, word: Word): void {
  const [first = ''] = word;
  const [matched = '', name = ''] = (command.words.length === 0 && typeof first === 'string' && /^([A-Za-z_]\w*)=/.exec(first)) || [];
  if (typeof first !== 'string' || name === '') command.words.push(word);
  else
    command.assignments.push({
      name,
      value: [first.slice(matched.length), ...word.slice(1)],
    });
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === ' ' || char === '\t' || char === '\r') at++;
    else if (char === '#') {
      while (at < text.length && text[at] !== '\n') at++;
    } else {
      const operator = operators.find((one) => text.startsWith(one, at));
      if (operator !== undefined) {
        at += operator.length;
        yield { operator };
      } else {
        const { word, end } = readWord(text, at);
        at = end;
        yield { word };
      }
    }
  }
}

const wordEnd = /[\s|;<>&]/;

function readWord(text: string, start: number): { word: Word; end: number } {
  const parts: WordPart[] = [''];
  const add = (part: WordPart): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  let at = start;
  while (at < text.length && !wordEnd.test(text.charAt(at))) {
    if (text[at] === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string');
      add(text.slice(at + 1, end));
      at = end + 1;
    } else if (text[at] === '"') {
      at++;
      while (text[at] !== '"') {
        if (at >= text.length) throw new ShellSyntaxError('syntax error: unterminated quoted string');
        at = readCharacter(text, at, add, '"\\$`');
      }
      at++;
    } else at = readCharacter(text, at, add, undefined);
  }
  if (at === start) throw unexpected(text.charAt(at));
  return { word: parts, end: at };
}

const variable = /\$(?:([A-Za-z_]\w*|[?$0-9#@*])|\{([A-Za-z_]\w*|[?])\})/y;

/**
 * Reads a character, an escape or a variable.
 *
 * @param escapable the characters that can be escaped; undefined for all
 */
function readCharacter(text: string, at: number, add: (part: WordPart) => void, escapable: string | undefined): number {
  if (text[at] === '\\' && at + 1 < text.length && (escapable === undefined || escapable.includes(text.charAt(at + 1)))) {
    add(text.charAt(at + 1));
    return at + 2;
  }
  if (text[at] === '`' || text.startsWith('$(', at)) throw new ShellSyntaxError('syntax error: the simulation runs no substitutions');
  variable.lastIndex = at;
  const match = text[at] === '$' ? variable.exec(text) : null;
  if (match === null) {
    add(text.charAt(at));
    return at + 1;
  }
  add({ variable: match[1] ?? match[2] ?? '' });
  return at + match[0].length;
}
