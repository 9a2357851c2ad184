import ts from 'typescript';
import { blankLine, hardLine, type Layout } from './layout.ts';

/** Returns the comments before a node, each in its own lines. */
export function leadingComments(node: ts.Node): Layout[] {
  const isFirst = node.parent?.getStart() !== node.getStart() || ts.isSourceFile(node.parent);
  if (!isFirst) return [];
  const { text } = node.getSourceFile();
  return rangesBefore(text, node.getFullStart()).flatMap((range) => [
    commentIn(text, range),
    isBlankAt(text, range.end) ? blankLine : hardLine,
  ]);
}

/** Returns the comments in the line of an opening bracket or colon. */
export function openingComments(parent: ts.Node, list: ts.NodeArray<ts.Node>): Layout[] {
  if (list.pos === 0 || list.length === 0) return [];
  const { text } = parent.getSourceFile();
  return rangesAfter(text, list.pos).map((range) => commentIn(text, range));
}

/** Returns the comments that follow a list member in its line, behind its separator. */
export function trailingComments(parent: ts.Node, list: ts.NodeArray<ts.Node>, index: number): Layout[] {
  const isLast = index === list.length - 1;
  // the clause, which is itself a list member, prints these comments
  if (isLast && ts.isCaseOrDefaultClause(parent)) return [];
  const { text } = parent.getSourceFile();
  const end = list[index + 1]?.pos ?? list.end;
  return rangesAfter(text, end).map((range) => [' ', commentIn(text, range)]);
}

/** Returns the comments between the last member of a list and the closing bracket or the end of the file. */
export function closingComments(parent: ts.Node, list: ts.NodeArray<ts.Node>): Layout[] {
  const { text } = parent.getSourceFile();
  const inLine = list.length === 0 && list.pos > 0 ? rangesAfter(text, list.pos) : [];
  return [...inLine, ...rangesBefore(text, list.end)].map((range, index) => {
    const isFirst = index === 0 && list.length === 0;
    const before = isBlankBefore(text, range.pos) ? blankLine : hardLine;
    return [isFirst ? '' : before, commentIn(text, range)];
  });
}

/** Reports whether an empty line is before a node and its comments. */
export function isAfterBlank(node: ts.Node): boolean {
  const { text } = node.getSourceFile();
  return isBlankAt(text, rangesAfter(text, node.pos).at(-1)?.end ?? node.pos);
}

/** Returns the texts of all comments of a file, in order, without their indentation. */
export function commentsOf(source: ts.SourceFile): readonly string[] {
  const { text } = source;
  const found = new Map<number, string>();
  const add = (node: ts.Node): void => {
    const children = node.getChildren(source);
    for (const child of children) add(child);
    if (children.length > 0) return;
    for (const range of [...rangesAfter(text, node.pos), ...rangesBefore(text, node.pos)])
      found.set(range.pos, text.slice(range.pos, range.end).replace(/\n\s*/g, '\n'));
  };
  if (/\/[/*]/.test(text)) add(source);
  return [...found].sort(([one], [other]) => one - other).map(([, comment]) => comment);
}

const rangesBefore = (text: string, position: number): readonly ts.CommentRange[] => ts.getLeadingCommentRanges(text, position) ?? [];

const rangesAfter = (text: string, position: number): readonly ts.CommentRange[] =>
  position === 0 ? [] : (ts.getTrailingCommentRanges(text, position) ?? []);

const isBlankAt = (text: string, position: number): boolean => /^[^\S\n]*\n[^\S\n]*\n/.test(text.slice(position));

const isBlankBefore = (text: string, position: number): boolean =>
  /\n[^\S\n]*\n[^\S\n]*$/.test(text.slice(Math.max(0, position - 200), position));

/** Lays out a comment. Lines after the first begin with an asterisk below the first asterisk. */
function commentIn(text: string, { pos, end }: ts.CommentRange): Layout {
  const rows = text.slice(pos, end).split('\n');
  return rows.flatMap((row, index) => (index === 0 ? [row] : [hardLine, ` ${row.trimStart()}`]));
}
