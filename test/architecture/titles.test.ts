import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Title {
  /** Titles of the enclosing `describe`s and of the test itself, joined by " > ". */
  readonly path: string;
  readonly line: number;
}

const testFiles = readdirSync(join(root, 'test'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort();

/** The text of a title with expressions. */
const interpolated = '(interpolated)';

describe('titles of tests', () => {
  test('no file has two tests, or two describes, of the same title in the same place', () => {
    expect(testFiles.flatMap((file) => repeated(titlesOf(file)).map((title) => `${file}:${title}`))).toEqual([]);
  });
});

/**
 * Returns the titles in a file as they are reported. Titles with placeholders are left out: the source does not show
 * their values.
 */
function titlesOf(file: string): Title[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const titles: Title[] = [];
  const visit = (node: ts.Node, outer: string): void => {
    const title = ts.isCallExpression(node) && isTestOrDescribe(node.expression) ? titleIn(node) : undefined;
    if (title === undefined) {
      ts.forEachChild(node, (child) => visit(child, outer));
      return;
    }
    const path = outer === '' ? title : `${outer} > ${title}`;
    if (!hasPlaceholder(title)) {
      titles.push({ path, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    }
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(source, '');
  return titles;
}

/**
 * Reports whether a call is `test(...)`, `test.each(table)(...)`, `describe(...)`, or similar to `testIf(condition,
 * reason)(...)`.
 */
function isTestOrDescribe(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(?:test|it|describe)(?![a-z])/.test(callee.text);
  return ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee) ? isTestOrDescribe(callee.expression) : false;
}

function titleIn(call: ts.CallExpression): string | undefined {
  const [title, body] = call.arguments;
  if (title === undefined || body === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? interpolated : undefined;
}

function hasPlaceholder(title: string): boolean {
  return title === interpolated || /%[sdifjop#]|\$[\w#]/.test(title);
}

function repeated(titles: readonly Title[]): string[] {
  const seen = new Set<string>();
  return titles.filter(({ path }) => seen.size === seen.add(path).size).map(({ path, line }) => `${line}: ${path}`);
}
