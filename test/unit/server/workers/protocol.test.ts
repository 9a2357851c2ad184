import { expect, test } from '@jest/globals';
import { buffersToTransfer } from '../../../../runtime/server/workers/protocol.ts';

test('buffers are transferred to another thread only if they contain nothing else', () => {
  const whole = new Uint8Array(100);
  expect(buffersToTransfer(whole)).toEqual([whole.buffer]);
  expect(buffersToTransfer(whole.subarray(1))).toEqual([]);
  expect(buffersToTransfer(Buffer.from('from the pool that small buffers share'))).toEqual([]);
  expect(buffersToTransfer(new Uint8Array())).toEqual([]);
  expect(buffersToTransfer(new Uint8Array(new SharedArrayBuffer(8)))).toEqual([]);
});
