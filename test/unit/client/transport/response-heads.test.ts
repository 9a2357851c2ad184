import { describe, expect, test } from '@jest/globals';
import { ResponseReader } from '../../../../runtime/client/transport/http1/response-reader.ts';

/** Reads a head in pieces. Resolves to the number of bytes that Node's parser gets, or to the error. */
function read(lines: string, pieceLength: number): number | string {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`);
  const reader = new ResponseReader();
  reader.begin('POST');
  let length = 0;
  try {
    for (let at = 0; at < head.length; at += pieceLength) {
      reader.read(head.subarray(at, at + pieceLength), (bytes) => {
        length += bytes.length;
      });
    }
    return length;
  } catch (error) {
    return (error as Error).message;
  }
}

const broken = 'net/http: HTTP/1.x transport connection broken:';

/* With a cost that is the square of the length, each row would take minutes. */
describe('a head of nearly 1 MiB', () => {
  test.each([
    ['in pieces of one byte', `A: ${'x'.repeat(1_000_000)}\r\n`, 1, 1_000_043],
    ['of blanks before a letter', `A: x${' '.repeat(1_000_000)}y\r\n`, 2 ** 20, 1_000_045],
    ['of one header in 10,000 lines', `A: ${'x'.repeat(90)}\r\n`.repeat(9_999), 2 ** 20, 17 + 9_999 * 95 + 21],
    ['of too many lines', 'A: b\r\n'.repeat(150_000), 2 ** 20, `${broken} more than 10000 header lines`],
    ['and more', `A: ${'x'.repeat(2 ** 20)}\r\n`, 2 ** 16, 'net/http: server response headers exceeded 1048576 bytes; aborted'],
  ])('%s', (_, lines, pieceLength, want) => {
    expect(read(lines, pieceLength)).toBe(want);
  });
});
