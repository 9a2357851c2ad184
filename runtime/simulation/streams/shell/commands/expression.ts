import { type Matcher, RE2JS } from 're2js';
import { messageOf } from '../../../../machinery/errors/message-of.ts';
import { compileTime } from '../../../../machinery/patterns/size.ts';

/** The longest time to compile an expression, in microseconds. */
const maxCompileTime = 5000;
/** The most characters of a line that are searched. */
const maxLine = 16 * 1024;

export class ExpressionError extends Error {}

export interface ExpressionOptions {
  /** Whether the pattern is an extended expression, or a basic one. (POSIX) */
  readonly isExtended: boolean;
  readonly isFixed?: boolean;
  readonly ignoresCase: boolean;
}

/** A POSIX regular expression, which searches a line in linear time. */
export class Expression {
  readonly #compiled: RE2JS;

  /** @throws ExpressionError */
  constructor(pattern: string, { isExtended, isFixed = false, ignoresCase }: ExpressionOptions) {
    const source = isFixed ? RE2JS.quote(pattern) : isExtended ? pattern : extended(pattern);
    if (compileTime(source) > maxCompileTime) throw new ExpressionError('Regular expression too big');
    try {
      this.#compiled = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    } catch (error) {
      throw new ExpressionError(messageOf(error));
    }
  }

  test(line: string): boolean {
    return this.matcher(line).find();
  }

  matcher(line: string): Matcher {
    return this.#compiled.matcher(line.slice(0, maxLine));
  }
}

/** Returns the extended form of a basic expression: `\(a\)` is `(a)`, and `(a)` is `\(a\)`. */
function extended(pattern: string): string {
  let result = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === '\\') {
      const next = pattern.charAt(++at);
      result += '(){}|+?'.includes(next) && next !== '' ? next : `\\${next}`;
    } else if (char === '[') {
      const end = pattern.indexOf(']', at + (pattern.startsWith('[^]', at) ? 3 : 2));
      result += pattern.slice(at, end < 0 ? undefined : end + 1);
      at = end < 0 ? pattern.length : end;
    } else if ('(){}|+?'.includes(char)) result += `\\${char}`;
    else if (char === '*' && (result === '' || result === '^')) result += '\\*';
    else result += char;
  }
  return result;
}
