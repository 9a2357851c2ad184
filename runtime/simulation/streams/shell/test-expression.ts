import { resolvePath } from '../container-files.ts';
import type { Process } from './process.ts';

/** Runs `test`: `!`, `-a`, `-o`, and conditions. Returns the exit code. */
export function testExpression(process: Pick<Process, 'files' | 'folder'>, args: readonly string[]): number {
  const either = args.length > 3 ? args.indexOf('-o') : -1;
  if (either > 0) return testExpression(process, args.slice(0, either)) === 0 ? 0 : testExpression(process, args.slice(either + 1));
  const both = args.length > 3 ? args.indexOf('-a') : -1;
  if (both > 0) {
    const first = testExpression(process, args.slice(0, both));
    return first === 0 ? testExpression(process, args.slice(both + 1)) : first;
  }
  const from = args.findIndex((arg) => arg !== '!');
  const start = from < 0 ? args.length : from;
  // a lonely "!" is a text
  if (args.length === 1) return args[0] === '' ? 1 : 0;
  const code = testCondition(process, args.slice(start));
  return start % 2 === 1 && code < 2 ? 1 - code : code;
}

const compare: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};

const truth = (holds: boolean | undefined): number => (holds ? 0 : 1);

/** Runs one condition of `test` or `[[`. */
export function testCondition({ files, folder }: Pick<Process, 'files' | 'folder'>, args: readonly string[]): number {
  const [first = '', second = '', third = ''] = args;
  if (args.length === 3) {
    const numbers = Object.hasOwn(compare, second) ? compare[second] : undefined;
    if (numbers !== undefined) {
      const [left, right] = [numberOf(first), numberOf(third)];
      return left === undefined || right === undefined ? 2 : truth(numbers(left, right));
    }
    if (second === '=' || second === '==') return truth(first === third);
    if (second === '!=') return truth(first !== third);
    if (second === '<' || second === '>') return truth(second === '<' ? first < third : first > third);
    const [left, right] = [first, third].map((path) => files.stat(resolvePath(folder, path))?.modified ?? -1);
    if (second === '-nt') return truth((left ?? 0) > (right ?? 0));
    if (second === '-ot') return truth((left ?? 0) < (right ?? 0));
    return 2;
  }
  const path = resolvePath(folder, second);
  const node = files.stat(path);
  switch (first) {
    case '-d':
      return truth(node?.kind === 'folder');
    case '-f':
      return truth(node?.kind === 'file');
    case '-e':
    case '-a':
      return truth(node !== undefined || isDevice(path));
    case '-r':
    case '-w':
      return truth(node !== undefined || isDevice(path));
    case '-x':
      return truth(node !== undefined && (node.mode & 0o111) !== 0);
    case '-s':
      return truth(node?.kind === 'file' ? node.size > 0 : node !== undefined);
    case '-L':
    case '-h':
      return truth(files.lstat(path)?.kind === 'link');
    case '-c':
      return truth(isDevice(path));
    case '-t':
    case '-b':
    case '-p':
    case '-S':
      return 1;
    case '-n':
      return truth(second !== '');
    case '-z':
      return truth(second === '');
    default:
      return truth(first !== '');
  }
}

export const isDevice = (path: string): boolean => /^\/dev\/(?:null|zero|u?random|std(?:in|out|err)|tty|fd\/[012])$/.test(path);

const numberOf = (text: string): bigint | undefined =>
  /^\s*[+-]?\d{1,18}\s*$/.test(text) ? BigInt(text.trim().replace(/^\+/, '')) : undefined;
