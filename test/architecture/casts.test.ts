import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root } from '../support/generated-project.ts';
import { sourcesIn } from './imports.ts';

/** A cast that the compiler does not check: `value as unknown as T`. */
interface Cast {
  readonly place: string;
  /** Whether a comment says why: above the statement, or above its function. */
  readonly hasReason: boolean;
}

function castsIn(file: string): Cast[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes('as unknown as')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Cast[] = [];
  const hasComment = (node: ts.Node | undefined): boolean =>
    node !== undefined &&
    !ts.isSourceFile(node) &&
    !ts.isClassDeclaration(node) &&
    ((ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).length > 0 || hasComment(node.parent));
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && ts.isAsExpression(node.expression) && node.expression.type.getText() === 'unknown') {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `${file}:${line + 1}`, hasReason: hasComment(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const casts = ['runtime', 'codegen'].flatMap((folder) => sourcesIn(root, folder)).flatMap(castsIn);

// JSON becomes an object of an API type by `fromUnstructured`, and back by `unstructuredContent`
test('runtime/ and codegen/ have 13 casts that the compiler does not check', () => {
  expect(casts.map(({ place }) => place).length).toBeLessThanOrEqual(13);
});

test('a comment gives the reason for each of them', () => {
  expect(casts.filter(({ hasReason }) => !hasReason)).toEqual([]);
});
