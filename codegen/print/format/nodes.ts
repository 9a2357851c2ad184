import ts from 'typescript';
import { closingComments, isAfterBlank, openingComments, trailingComments } from './comments.ts';
import { blankLine, group, hardLine, ifBroken, indent, join, type Layout, line, softLine } from './layout.ts';
import { propertyName } from './literals.ts';

/** Lays out a node of any kind. */
export type LayOut = (node: ts.Node) => Layout;

/** Layouts by kind of node. */
export type Layouts = Readonly<Partial<Record<ts.SyntaxKind, NodeLayout>>>;

type NodeLayout = (node: never, layOut: LayOut) => Layout;

/** Types the layout of one kind of node. */
export const layoutOf = <Node extends ts.Node>(layout: (node: Node, layOut: LayOut) => Layout): NodeLayout => layout;

/** Lays out items between brackets: in one line, or one in each line. */
export function bracketed(open: string, items: readonly Layout[], close: string, trailing: ',' | '' = ','): Layout {
  if (items.length === 0) return open + close;
  return group([open, indent([softLine, join([',', line], items)]), ifBroken(trailing), softLine, close]);
}

/** Lays out items between braces, in lines of their own if the source has them so. */
export function braced(node: ts.Node, items: ts.NodeArray<ts.Node>, layOut: LayOut, separator: ',' | ';'): Layout {
  const closing = closingComments(node, items);
  if (items.length === 0) return closing.length === 0 ? '{}' : ['{', indent([hardLine, closing]), hardLine, '}'];
  const content = items.map((item, index) => {
    const end = index === items.length - 1 ? ifBroken(separator) : separator;
    const trailing = trailingComments(node, items, index);
    return [trailing.length === 0 ? line : hardLine, layOut(item), end, trailing];
  });
  const opening = openingComments(node, items).map((comment) => [hardLine, comment]);
  const isBroken = closing.length > 0 || startsWithLine(node);
  return group(['{', indent([opening, content, closing]), line, '}'], isBroken);
}

/** Reports whether the source has a line break after the opening brace. */
function startsWithLine(node: ts.Node): boolean {
  return /^\{[ \t]*\r?\n/.test(node.getText());
}

/** Lays out statements or members, each in its own line. Single empty lines between them stay. */
export function listed(parent: ts.Node, nodes: ts.NodeArray<ts.Node>, layOut: LayOut): Layout {
  return nodes.map((node, index) => [
    index === 0 ? openingComments(parent, nodes).map((comment) => [comment, hardLine]) : isAfterBlank(node) ? blankLine : hardLine,
    layOut(node),
    trailingComments(parent, nodes, index),
  ]);
}

/** Returns the modifiers of a declaration, each with a space. */
export function modifiersOf(node: ts.Node): string {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.map((modifier) => `${modifier.getText()} `).join('');
}

/** Lays out the name of a property, in quotes only if needed. */
export const nameOf = (name: ts.PropertyName, layOut: LayOut): Layout =>
  ts.isStringLiteral(name) ? propertyName(name.getText()) : layOut(name);
