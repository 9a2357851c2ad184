import ts from 'typescript';
import { closingComments } from './comments.ts';
import { group, hardLine, ifBroken, indent, join, type Layout, line, softLine } from './layout.ts';
import { braced, bracketed, type LayOut, type Layouts, layoutOf, listed, modifiersOf, nameOf } from './nodes.ts';

/** The layouts of types. */
export const typeLayouts: Layouts = {
  [ts.SyntaxKind.TypeReference]: layoutOf<ts.TypeReferenceNode>((node, layOut) => [
    layOut(node.typeName),
    typeArguments(node.typeArguments, layOut),
  ]),
  [ts.SyntaxKind.QualifiedName]: layoutOf<ts.QualifiedName>((node, layOut) => [layOut(node.left), '.', layOut(node.right)]),
  [ts.SyntaxKind.ExpressionWithTypeArguments]: layoutOf<ts.ExpressionWithTypeArguments>((node, layOut) => [
    layOut(node.expression),
    typeArguments(node.typeArguments, layOut),
  ]),
  [ts.SyntaxKind.ArrayType]: layoutOf<ts.ArrayTypeNode>((node, layOut) => [layOut(node.elementType), '[]']),
  [ts.SyntaxKind.TypeOperator]: layoutOf<ts.TypeOperatorNode>((node, layOut) => [`${ts.tokenToString(node.operator)} `, layOut(node.type)]),
  [ts.SyntaxKind.LiteralType]: layoutOf<ts.LiteralTypeNode>((node, layOut) => layOut(node.literal)),
  [ts.SyntaxKind.TupleType]: layoutOf<ts.TupleTypeNode>((node, layOut) => bracketed('[', node.elements.map(layOut), ']')),
  [ts.SyntaxKind.ParenthesizedType]: layoutOf<ts.ParenthesizedTypeNode>(parenthesizedType),
  [ts.SyntaxKind.UnionType]: layoutOf<ts.UnionTypeNode>(unionType),
  [ts.SyntaxKind.IntersectionType]: layoutOf<ts.IntersectionTypeNode>((node, layOut) => join(' & ', node.types.map(layOut))),
  [ts.SyntaxKind.TypeLiteral]: layoutOf<ts.TypeLiteralNode>((node, layOut) => braced(node, node.members, layOut, ';')),
  [ts.SyntaxKind.IndexSignature]: layoutOf<ts.IndexSignatureDeclaration>((node, layOut) => [
    `${modifiersOf(node)}[`,
    join(', ', node.parameters.map(layOut)),
    ']',
    typeAnnotation(node.type, layOut),
  ]),
  [ts.SyntaxKind.PropertySignature]: layoutOf<ts.PropertySignature>((node, layOut) => [
    modifiersOf(node),
    nameOf(node.name, layOut),
    node.questionToken ? '?' : '',
    typeAnnotation(node.type, layOut),
  ]),
  [ts.SyntaxKind.InterfaceDeclaration]: layoutOf<ts.InterfaceDeclaration>((node, layOut) => [
    `${modifiersOf(node)}interface `,
    layOut(node.name),
    node.heritageClauses?.map((clause) => [' ', layOut(clause)]) ?? '',
    ' ',
    body(node, node.members, layOut, ';'),
  ]),
  [ts.SyntaxKind.TypeAliasDeclaration]: layoutOf<ts.TypeAliasDeclaration>((node, layOut) => {
    const type = layOut(node.type);
    const isUnion = ts.isUnionTypeNode(node.type);
    return group([`${modifiersOf(node)}type ${node.name.text} =`, isUnion ? '' : ' ', type, ';']);
  }),
  [ts.SyntaxKind.HeritageClause]: layoutOf<ts.HeritageClause>((node, layOut) => [
    `${ts.tokenToString(node.token)} `,
    join(', ', node.types.map(layOut)),
  ]),
};

/** Returns `: type`, or nothing. */
export const typeAnnotation = (type: ts.TypeNode | undefined, layOut: LayOut): Layout =>
  type === undefined ? '' : [':', ts.isUnionTypeNode(type) ? '' : ' ', layOut(type)];

/** Returns `<types>`, or nothing. A single plain name gets no lines of its own. */
export function typeArguments(types: readonly ts.Node[] | undefined, layOut: LayOut): Layout {
  if (types === undefined) return '';
  const items = types.map(layOut);
  const [only, ...others] = types;
  const isHugged = only !== undefined && others.length === 0 && !ts.isUnionTypeNode(only);
  return isHugged ? ['<', ...items, '>'] : bracketed('<', items, '>', '');
}

/** Lays out members between braces, each in its own line. */
export function body(node: ts.Node, members: ts.NodeArray<ts.Node>, layOut: LayOut, end: ';' | ''): Layout {
  const closing = closingComments(node, members);
  if (members.length === 0 && closing.length === 0) return '{}';
  const ended = (member: ts.Node): Layout => [layOut(member), end];
  return ['{', indent([hardLine, listed(node, members, ended), closing]), hardLine, '}'];
}

/** Lays out the members of a union, with a bar before each if they do not fit into one line. */
function unionType(node: ts.UnionTypeNode, layOut: LayOut): Layout {
  const { parent } = node;
  const isArgument = ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent);
  const isBare = isArgument || ts.isParenthesizedTypeNode(parent);
  const hugged = huggedMember(node);
  const before = isBare ? '' : ' ';
  if (hugged !== undefined) return [before, join(' | ', node.types.map(layOut))];
  const types = node.types.map((type) => indent(layOut(type)));
  const content = [ifBroken([isBare ? '' : line, '| '], before), join([line, '| '], types)];
  return group(isBare ? content : indent(content));
}

/** Returns the object type in a union of it and null: `{ a: string } | null`. */
function huggedMember({ types }: ts.UnionTypeNode): ts.TypeNode | undefined {
  const [only, ...others] = types.filter((type) => !isNull(type));
  return only && others.length === 0 && types.length === 2 && ts.isTypeLiteralNode(only) ? only : undefined;
}

const isNull = (type: ts.TypeNode): boolean => ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword;

function parenthesizedType(node: ts.ParenthesizedTypeNode, layOut: LayOut): Layout {
  if (!ts.isUnionTypeNode(node.type)) return ['(', layOut(node.type), ')'];
  return group(['(', indent([softLine, layOut(node.type)]), softLine, ')']);
}
