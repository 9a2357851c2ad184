import ts from 'typescript';
import { blankLine, group, hardLine, ifBroken, indent, join, type Layout, line, softLine } from './layout.ts';
import { propertyName } from './literals.ts';

/** Lays out a node of any kind. */
export type LayOut = (node: ts.Node) => Layout;

/** How nodes of some kinds are laid out, by kind. */
export type Layouts = Readonly<Partial<Record<ts.SyntaxKind, NodeLayout>>>;

type NodeLayout = (node: never, layOut: LayOut) => Layout;

/** Types the layout of one kind of nodes. */
export const layoutOf = <Node extends ts.Node>(layout: (node: Node, layOut: LayOut) => Layout): NodeLayout => layout;

/** Items between brackets: in one line, or one in each line. */
export function bracketed(open: string, items: readonly Layout[], close: string, trailing: ',' | '' = ','): Layout {
  if (items.length === 0) return open + close;
  return group([open, indent([softLine, join([',', line], items)]), ifBroken(trailing), softLine, close]);
}

/** Items between braces, which stand in lines of their own if they do in the source. */
export function braced(node: ts.Node, items: readonly Layout[], separator: ',' | ';'): Layout {
  if (items.length === 0) return '{}';
  const content = indent([line, join([separator, line], items)]);
  return group(['{', content, ifBroken(separator), line, '}'], startsWithLine(node));
}

/** Whether the source has a line break between the opening brace and what follows it. */
function startsWithLine(node: ts.Node): boolean {
  return /^\{[ \t]*\r?\n/.test(node.getText());
}

/** Statements or members, each in a line of its own. Single empty lines between them stay. */
export function listed(nodes: readonly ts.Node[], layOut: LayOut): Layout {
  return nodes.map((node, index) => [index === 0 ? '' : isAfterBlank(node) ? blankLine : hardLine, layOut(node)]);
}

/** Whether an empty line is before a node and its comments. */
const isAfterBlank = (node: ts.Node): boolean => /^[^\S\n]*\n[^\S\n]*\n/.test(node.getFullText());

/** The modifiers of a declaration, each with a space. */
export function modifiersOf(node: ts.Node): string {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.map((modifier) => `${modifier.getText()} `).join('');
}

/** The name of a property, in quotes only where it needs them. */
export const nameOf = (name: ts.PropertyName, layOut: LayOut): Layout =>
  ts.isStringLiteral(name) ? propertyName(name.getText()) : layOut(name);
