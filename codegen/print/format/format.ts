import ts from 'typescript';
import { closingComments, commentsOf, leadingComments } from './comments.ts';
import { expressionLayouts } from './expressions.ts';
import { type Layout, printLayout } from './layout.ts';
import { type LayOut, type Layouts, listed } from './nodes.ts';
import { statementLayouts } from './statements.ts';
import { typeLayouts } from './types.ts';

/** The longest line of the house format. */
const lineWidth = 140;

/** Text that is not TypeScript. */
export class NotTypeScript extends Error {
  override readonly name = 'NotTypeScript';
}

/** The parser's result with its diagnostics. A TypeScript program would find the same ones in ten times as long. */
interface ParsedFile extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.Diagnostic[];
}

const layouts: Layouts = { ...typeLayouts, ...expressionLayouts, ...statementLayouts };

/**
 * Writes TypeScript in the house format: biome's format for the kinds of nodes that are generated. Nodes without a
 * layout stay unchanged.
 *
 * @throws NotTypeScript, with the line, for a text that does not parse
 */
export function formatTypeScript(text: string): string {
  const source = parse(text);
  const formatted = `${printLayout([listed(source, source.statements, layOut), closingComments(source, source.statements)], lineWidth)}\n`;
  checkSame(source, parse(formatted));
  return formatted;
}

function parse(text: string): ts.SourceFile {
  const source = ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest, true);
  const [fault] = (source as ParsedFile).parseDiagnostics;
  if (fault === undefined) return source;
  const { line } = source.getLineAndCharacterOfPosition(fault.start ?? 0);
  const reason = ts.flattenDiagnosticMessageText(fault.messageText, ' ');
  throw new NotTypeScript(`line ${line + 1}: ${reason}: ${text.split('\n')[line]}`);
}

const layOut: LayOut = (node) => {
  const layout = layouts[node.kind] as ((node: ts.Node, layOut: LayOut) => Layout) | undefined;
  return [...leadingComments(node), layout === undefined ? node.getText() : layout(node, layOut)];
};

/** @throws Error if formatting changed the meaning of a file, because of a wrong layout */
function checkSame(one: ts.SourceFile, other: ts.SourceFile): void {
  const [ours, theirs] = [meaningOf(one), meaningOf(other)];
  if (ours !== theirs) throw new Error('the formatted code is not the generated code');
  const [before, after] = [commentsOf(one), commentsOf(other)];
  const lost = before.find((comment, index) => comment !== after[index]);
  if (lost !== undefined) throw new Error(`the formatted code lacks a comment of the generated code: ${lost}`);
}

/** Returns the nodes of a file, without punctuation and parentheses. */
function meaningOf(node: ts.Node): string {
  const parts: string[] = [];
  const add = (each: ts.Node): void => {
    const isText = ts.isIdentifier(each) || ts.isStringLiteral(each);
    parts.push(isText ? JSON.stringify(each.text) : `${each.kind}${ts.isLiteralExpression(each) ? each.text : ''}`);
    ts.forEachChild(each, (child) => add(ts.isParenthesizedExpression(child) ? child.expression : child));
    parts.push(')');
  };
  add(node);
  return parts.join(' ');
}
