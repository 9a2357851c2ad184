import { join, resolve } from 'node:path';
import { readIfPresent } from './files.ts';
import type { SchemaProblem } from './schema-errors.ts';

/** A complaint of buf about a place in a .proto file. */
interface Complaint {
  /** The file, relative to the folder of .proto files. */
  readonly file: string;
  readonly row: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Converts buf's output to problems. A file that ends too early gets a problem for each open block, and none of buf's
 * complaints about the rest.
 */
export async function protoProblems(output: string, folder: string): Promise<SchemaProblem[]> {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const found = lines.map((line) => complaintOf(line, folder));
  const complaints = found.filter((each) => typeof each === 'object');
  const files = [...new Set(complaints.map(({ file }) => file))];
  const ofFiles = files.map(async (file) => {
    const text = (await readIfPresent(join(folder, file))) ?? '';
    const ofFile = complaints.filter((each) => each.file === file);
    return withoutConsequences(ofFile, text.split('\n')).map(problemOf);
  });
  const others = found.filter((each) => typeof each === 'string');
  return [
    ...others.map((line) => ({ file: 'proto', pointer: '', message: line.replace(/^Failure: /, '') })),
    ...(await Promise.all(ofFiles)).flat(),
  ];
}

function complaintOf(line: string, folder: string): Complaint | string {
  const [, path, row, column, message = ''] = /^(.+?):(\d+):(\d+):(.*)$/.exec(line) ?? [];
  if (path === undefined) return line;
  const [absolute, below] = [resolve(path), `${resolve(folder)}/`];
  const file = absolute.startsWith(below) ? absolute.slice(below.length) : path;
  return { file, row: Number(row), column: Number(column), message: message.trim() };
}

const problemOf = ({ file, row, column, message }: Complaint): SchemaProblem => ({
  file: `proto/${file}`,
  pointer: `:${row}:${column}`,
  message,
});

const unmatched = /^encountered unmatched `(.+)` delimiter$/;
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')', '/*': '*/' };

/** Reports whether a complaint is about a missing name. The name may be in the part of the file that is missing. */
const isOfMissing = ({ message }: Complaint): boolean => message.startsWith('cannot find');

function withoutConsequences(complaints: readonly Complaint[], lines: readonly string[]): Complaint[] {
  const open = complaints.filter(({ message }) => unmatched.test(message));
  if (open.length > 0) {
    const first = Math.min(...open.map(({ row }) => row));
    const before = complaints.filter((each) => each.row < first && !isOfMissing(each));
    return [
      ...before,
      ...open.map((each) => {
        const [, opened = ''] = unmatched.exec(each.message) ?? [];
        const what = blockOf(lines[each.row - 1] ?? '', opened);
        return { ...each, message: `${what} is not closed: the file has no ${closing[opened] ?? 'end'} for it` };
      }),
    ];
  }
  const end = complaints.find(({ message }) => message.startsWith('unexpected end-of-file'));
  if (end === undefined) return [...complaints];
  return [
    ...complaints.filter((each) => each.row < end.row && !isOfMissing(each)),
    { ...end, message: end.message.replace('unexpected end-of-file', 'the file ends too early,') },
  ];
}

/** Returns the block that a line opens, as `message Order`; the delimiter itself if the line names none. */
function blockOf(line: string, delimiter: string): string {
  if (delimiter === '/*') return 'a comment';
  const [, kind, name] = /\b(message|enum|oneof|service|extend|group)\s+([\w.]+)/.exec(line) ?? [];
  return delimiter === '{' && kind !== undefined ? `${kind} ${name}` : delimiter;
}
