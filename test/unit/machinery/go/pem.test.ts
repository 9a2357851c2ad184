import { expect, test } from '@jest/globals';
import { PemReader } from '../../../../runtime/machinery/go/pem.ts';

function read(text: string): { blocks: string[]; isAtEnd: boolean } {
  const reader = new PemReader(text);
  const blocks: string[] = [];
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    blocks.push(`${block.type}${block.hasHeaders ? ' with headers' : ''}: ${block.bytes}`);
  }
  return { blocks, isAtEnd: reader.isAtEnd };
}

const block = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}-----END ${type}-----\n`;

test.each<[string, string, string[], boolean]>([
  ['nothing', '', [], true],
  ['white space', ' \n', [], false],
  ['one block', block('A', 'aGk=\n'), ['A: hi'], true],
  ['two blocks, with text between them', `${block('A', 'aGk=\n')}x\n${block('B', 'aG\n k=\n')}`, ['A: hi', 'B: hi'], true],
  ['text behind the last block', `${block('A', 'aGk=\n')}\n`, ['A: hi'], false],
  ['headers', block('A', 'b: c\n\naGk=\n'), ['A with headers: hi'], true],
  ['an empty block', block('A', ''), ['A: '], true],
  ['lines that end in \\r\\n', '-----BEGIN A-----\r\naGk=\r\n-----END A-----\r\n', ['A: hi'], true],
  ['a block without an end before another', `-----BEGIN A-----\n${block('B', 'aGk=\n')}`, ['B: hi'], true],
  ['an end of another type', '-----BEGIN A-----\naGk=\n-----END B-----\n', [], false],
  ['an end with text behind it', '-----BEGIN A-----\naGk=\n-----END A-----x\n', [], false],
  ['what is not base64', block('A', 'a?k=\n'), [], false],
  ['base64 without padding', block('A', 'aGk\n'), [], false],
  ['a beginning inside a line', ` ${block('A', 'aGk=\n')}`, [], false],
])('%s', (_name, text, blocks, isAtEnd) => {
  expect(read(text)).toEqual({ blocks, isAtEnd });
});
