import ts from 'typescript';
import { assigned } from './expressions.ts';
import { group, hardLine, indent, type Layout, line, softLine } from './layout.ts';
import { braced, bracketed, type LayOut, type Layouts, layoutOf, listed, modifiersOf } from './nodes.ts';
import { body, typeAnnotation } from './types.ts';

/** The layouts of statements and declarations. */
export const statementLayouts: Layouts = {
  [ts.SyntaxKind.ImportDeclaration]: layoutOf<ts.ImportDeclaration>((node, layOut) => [
    'import ',
    node.importClause ? [layOut(node.importClause), ' from '] : '',
    layOut(node.moduleSpecifier),
    ';',
  ]),
  [ts.SyntaxKind.ImportClause]: layoutOf<ts.ImportClause>((node, layOut) => [
    node.isTypeOnly ? 'type ' : '',
    node.name ? layOut(node.name) : '',
    node.name && node.namedBindings ? ', ' : '',
    node.namedBindings ? layOut(node.namedBindings) : '',
  ]),
  [ts.SyntaxKind.NamespaceImport]: layoutOf<ts.NamespaceImport>((node) => `* as ${node.name.text}`),
  [ts.SyntaxKind.NamedImports]: layoutOf<ts.NamedImports>((node, layOut) => specifiers(node, layOut)),
  [ts.SyntaxKind.NamedExports]: layoutOf<ts.NamedExports>((node, layOut) => specifiers(node, layOut)),
  [ts.SyntaxKind.ExportDeclaration]: layoutOf<ts.ExportDeclaration>((node, layOut) => [
    `export ${node.isTypeOnly ? 'type ' : ''}`,
    node.exportClause ? layOut(node.exportClause) : '*',
    node.moduleSpecifier ? [' from ', layOut(node.moduleSpecifier)] : '',
    ';',
  ]),
  [ts.SyntaxKind.ExportAssignment]: layoutOf<ts.ExportAssignment>((node, layOut) => ['export default ', layOut(node.expression), ';']),
  [ts.SyntaxKind.VariableStatement]: layoutOf<ts.VariableStatement>((node, layOut) => [
    modifiersOf(node),
    layOut(node.declarationList),
    ';',
  ]),
  [ts.SyntaxKind.VariableDeclarationList]: layoutOf<ts.VariableDeclarationList>((node, layOut) => [
    node.flags & ts.NodeFlags.Const ? 'const ' : 'let ',
    node.declarations.map(layOut),
  ]),
  [ts.SyntaxKind.VariableDeclaration]: layoutOf<ts.VariableDeclaration>((node, layOut) =>
    initialized([layOut(node.name), typeAnnotation(node.type, layOut)], node.initializer, layOut),
  ),
  [ts.SyntaxKind.ExpressionStatement]: layoutOf<ts.ExpressionStatement>((node, layOut) => [layOut(node.expression), ';']),
  [ts.SyntaxKind.ReturnStatement]: layoutOf<ts.ReturnStatement>((node, layOut) => [
    'return',
    node.expression ? [' ', layOut(node.expression)] : '',
    ';',
  ]),
  [ts.SyntaxKind.IfStatement]: layoutOf<ts.IfStatement>((node, layOut) => [
    group(['if (', condition(node.expression, layOut), ')', clause(node.thenStatement, layOut)]),
    node.elseStatement
      ? [
          ts.isBlock(node.thenStatement) ? ' ' : hardLine,
          'else',
          ts.isIfStatement(node.elseStatement) ? [' ', layOut(node.elseStatement)] : group(clause(node.elseStatement, layOut)),
        ]
      : '',
  ]),
  [ts.SyntaxKind.WhileStatement]: layoutOf<ts.WhileStatement>((node, layOut) =>
    group(['while (', condition(node.expression, layOut), ')', clause(node.statement, layOut)]),
  ),
  [ts.SyntaxKind.ForOfStatement]: layoutOf<ts.ForOfStatement>((node, layOut) =>
    group(['for (', layOut(node.initializer), ' of ', layOut(node.expression), ')', clause(node.statement, layOut)]),
  ),
  [ts.SyntaxKind.SwitchStatement]: layoutOf<ts.SwitchStatement>((node, layOut) => [
    group(['switch (', condition(node.expression, layOut), ') ']),
    layOut(node.caseBlock),
  ]),
  [ts.SyntaxKind.CaseBlock]: layoutOf<ts.CaseBlock>((node, layOut) => body(node, node.clauses, layOut, '')),
  [ts.SyntaxKind.CaseClause]: layoutOf<ts.CaseClause>((node, layOut) => ['case ', layOut(node.expression), ':', caseBody(node, layOut)]),
  [ts.SyntaxKind.DefaultClause]: layoutOf<ts.DefaultClause>((node, layOut) => ['default:', caseBody(node, layOut)]),
  [ts.SyntaxKind.Block]: layoutOf<ts.Block>((node, layOut) => body(node, node.statements, layOut, '')),
  [ts.SyntaxKind.FunctionDeclaration]: layoutOf<ts.FunctionDeclaration>((node, layOut) => [
    `${modifiersOf(node)}function `,
    signature(node, layOut),
  ]),
  [ts.SyntaxKind.MethodDeclaration]: layoutOf<ts.MethodDeclaration>((node, layOut) => [modifiersOf(node), signature(node, layOut)]),
  [ts.SyntaxKind.GetAccessor]: layoutOf<ts.GetAccessorDeclaration>((node, layOut) => [`${modifiersOf(node)}get `, signature(node, layOut)]),
  [ts.SyntaxKind.Constructor]: layoutOf<ts.ConstructorDeclaration>((node, layOut) => [
    `${modifiersOf(node)}constructor`,
    signature(node, layOut),
  ]),
  [ts.SyntaxKind.ClassDeclaration]: layoutOf<ts.ClassDeclaration>((node, layOut) => [
    `${modifiersOf(node)}class ${node.name?.text ?? ''}`,
    node.heritageClauses?.map((each) => [' ', layOut(each)]) ?? '',
    ' ',
    body(node, node.members, layOut, ''),
  ]),
  [ts.SyntaxKind.PropertyDeclaration]: layoutOf<ts.PropertyDeclaration>((node, layOut) => [
    modifiersOf(node),
    initialized([layOut(node.name), node.questionToken ? '?' : '', typeAnnotation(node.type, layOut)], node.initializer, layOut),
    ';',
  ]),
};

function initialized(left: Layout, initializer: ts.Expression | undefined, layOut: LayOut): Layout {
  return initializer === undefined ? group(left) : assigned(left, '=', initializer, layOut);
}

const condition = (expression: ts.Expression, layOut: LayOut): Layout => group([indent([softLine, layOut(expression)]), softLine]);

/** Lays out the body of a condition or a loop: a block, or a statement that goes to the next line if it is too long. */
const clause = (statement: ts.Statement, layOut: LayOut): Layout =>
  ts.isBlock(statement) ? [' ', layOut(statement)] : indent([line, layOut(statement)]);

function caseBody(clause: ts.CaseOrDefaultClause, layOut: LayOut): Layout {
  const { statements } = clause;
  const [only, ...others] = statements;
  if (only && others.length === 0 && ts.isBlock(only)) return [' ', layOut(only)];
  return statements.length === 0 ? '' : indent([hardLine, listed(clause, statements, layOut)]);
}

/** Lays out a function's name, parameters, return type and body. */
function signature(node: ts.FunctionLikeDeclaration, layOut: LayOut): Layout {
  return [
    node.name ? layOut(node.name) : '',
    group([bracketed('(', node.parameters.map(layOut), ')'), typeAnnotation(node.type, layOut)]),
    node.body ? [' ', layOut(node.body)] : ';',
  ];
}

/** Lays out names between braces. A single name stays in its line. */
function specifiers(node: ts.NamedImports | ts.NamedExports, layOut: LayOut): Layout {
  const [first, ...rest] = node.elements;
  return rest.length === 0 && first ? ['{ ', layOut(first), ' }'] : braced(node, node.elements, layOut, ',');
}
