import type { TestExpression } from 'unbash';
import { matchesGlob } from './glob.ts';
import { ShellSyntaxError } from './parse.ts';
import type { Process } from './process.ts';
import { testCondition } from './test-expression.ts';
import type { Words } from './words.ts';

/** Evaluates the expression of bash's `[[ ... ]]`. @throws ShellSyntaxError */
export async function holds(node: TestExpression, words: Words, process: Process): Promise<boolean> {
  switch (node.type) {
    case 'TestNot':
      return (await holds(node.operand, words, process)) !== (node.negations.length % 2 === 1);
    case 'TestGroup':
      return holds(node.expression, words, process);
    case 'TestLogical': {
      for (const operand of node.operands) {
        const isTrue = await holds(operand, words, process);
        if (isTrue === (node.operator === '||')) return isTrue;
      }
      return node.operator === '&&';
    }
    case 'TestUnary':
      return testCondition(process, [node.operator, await words.text(node.operand)]) === 0;
    case 'TestBinary': {
      const left = await words.text(node.left);
      if (node.operator === '=' || node.operator === '==') return matchesGlob(await words.pattern(node.right), left);
      if (node.operator === '!=') return !matchesGlob(await words.pattern(node.right), left);
      if (node.operator === '=~') throw new ShellSyntaxError('syntax error: =~ is not supported');
      return testCondition(process, [left, node.operator, await words.text(node.right)]) === 0;
    }
  }
}
