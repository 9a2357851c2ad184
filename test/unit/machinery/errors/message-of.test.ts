import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { messageOf } from '../../../../runtime/machinery/errors/message-of.ts';

describe('the message of what was thrown', () => {
  test.each([
    ['an error', new TypeError('refused'), 'refused'],
    ['an error of another realm', runInNewContext("new Error('elsewhere')"), 'elsewhere'],
    ['an object with a message', { message: 'as an error' }, 'as an error'],
    ['a text', 'plain', 'plain'],
    ['nothing', undefined, 'undefined'],
  ])('is that of %s', (_what, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
