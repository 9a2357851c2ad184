/**
 * Prints the size and the division of the code as a Markdown table: `make figures`. The optional argument is the folder
 * of another checkout.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { findCycles, importsOf } from './imports.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('../../', import.meta.url));

interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly ast: ts.SourceFile;
}

interface FunctionFacts {
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
}

const handWritten = ['runtime', 'codegen'].flatMap(read);
const generated = read('generated');
const tests = read('test');
const functions = handWritten.flatMap(functionsOf);
const fileLengths = handWritten.map(({ lines }) => lines);
const functionLengths = functions.map(({ lines }) => lines);
const longestFile = handWritten.reduce((longest, file) => (file.lines > longest.lines ? file : longest));
const longestFunction = functions.reduce((longest, one) => (one.lines > longest.lines ? one : longest));
const imports = importsOf(root, ['runtime', 'codegen']);
const cycles = findCycles(imports);

const rows: readonly (readonly [string, string | number])[] = [
  ['lines of hand-written code (runtime, codegen)', sum(fileLengths)],
  ['files of hand-written code', handWritten.length],
  ['lines of generated code', sum(generated.map(({ lines }) => lines))],
  ['lines of test code', sum(tests.map(({ lines }) => lines))],
  ['lines of a file, median', median(fileLengths)],
  ['lines of the longest file', `${longestFile.lines} (${longestFile.path})`],
  ['lines of a function, median', median(functionLengths)],
  ['lines of the longest function', `${longestFunction.lines} (${longestFunction.name})`],
  ['functions with five or more parameters', functions.filter(({ parameters }) => parameters >= 5).length],
  ['uses of `any`', sum(handWritten.map(({ ast }) => anysIn(ast)))],
  ['casts by `as unknown as`', sum(handWritten.map(({ ast }) => castsIn(ast)))],
  ['members spread on a condition', sum(handWritten.map(({ ast }) => conditionalSpreadsIn(ast)))],
  ['import cycles, types included', cycles.length],
  ['files in such cycles', sum(cycles.map(({ length }) => length))],
  ['files of runtime and codegen that import more than 15 others', busiest(15)],
  ['files under 20 lines', fileLengths.filter((lines) => lines < 20).length],
];
console.log('| figure | value |\n|---|---|');
for (const [figure, value] of rows) console.log(`| ${figure} | ${value} |`);

function read(folder: string): SourceFile[] {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      const ast = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return { path: relative(root, path), lines: text.split('\n').length - 1, ast };
    });
}

/** The number of files that import more than `limit` others, types included. */
function busiest(limit: number): number {
  const targets = new Map<string, Set<string>>();
  for (const { file, target } of imports) targets.set(file, (targets.get(file) ?? new Set()).add(target));
  return [...targets.values()].filter(({ size }) => size > limit).length;
}

/** Functions, methods, constructors, accessors, and arrow functions that are constants. */
function functionsOf({ path, ast }: SourceFile): FunctionFacts[] {
  const found: FunctionFacts[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && node.body !== undefined) {
      const from = ast.getLineAndCharacterOfPosition(node.getStart()).line;
      const to = ast.getLineAndCharacterOfPosition(node.end).line;
      found.push({ name: `${path} ${nameOf(node)}`, lines: to - from + 1, parameters: node.parameters.length });
    }
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node) ||
    (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent))
  );
}

function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const owner = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return owner?.getText() ?? '';
}

/** `value as unknown as T`, which the compiler does not check. */
function castsIn(ast: ts.SourceFile): number {
  return count(
    ast,
    (node) => ts.isAsExpression(node) && ts.isAsExpression(node.expression) && node.expression.type.getText() === 'unknown',
  );
}

/** `...(value === undefined ? {} : { value })` */
function conditionalSpreadsIn(ast: ts.SourceFile): number {
  return count(ast, (node) => {
    if (!ts.isSpreadAssignment(node) || !ts.isParenthesizedExpression(node.expression)) return false;
    const inner = node.expression.expression;
    return ts.isConditionalExpression(inner) && [inner.whenTrue.getText(), inner.whenFalse.getText()].includes('{}');
  });
}

function count(ast: ts.SourceFile, matches: (node: ts.Node) => boolean): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    if (matches(node)) found += 1;
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

function anysIn(ast: ts.SourceFile): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) count++;
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
