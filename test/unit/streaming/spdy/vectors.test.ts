import { describe, expect, test } from '@jest/globals';
import { controlFrame, dataHead, type Frame, FrameReader } from '../../../../runtime/streaming/spdy/frames.ts';
import { HeaderReader, HeaderWriter } from '../../../../runtime/streaming/spdy/header-block.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('frames as SPDY/3.1 draws them', () => {
  test.each([
    [
      'SYN_STREAM, the last of stream 1 (2.6.1)',
      '8003 0001 01 00000a 00000001 00000000 0000',
      controlFrame('synStream', [1, 0], hex('0000'), 1),
    ],
    ['SYN_REPLY (2.6.2)', '8003 0002 00 000004 00000001', controlFrame('synReply', [1])],
    ['RST_STREAM: CANCEL (2.6.3)', '8003 0003 00 000008 00000003 00000005', controlFrame('rstStream', [3, 5])],
    [
      'SETTINGS: INITIAL_WINDOW_SIZE 65536 (2.6.4)',
      '8003 0004 00 00000c 00000001 00000007 00010000',
      controlFrame('settings', [1, 7, 65536]),
    ],
    ['PING (2.6.5)', '8003 0006 00 000004 00000001', controlFrame('ping', [1])],
    ['GOAWAY: OK (2.6.6)', '8003 0007 00 000008 00000005 00000000', controlFrame('goAway', [5, 0])],
    ['WINDOW_UPDATE by 32768 (2.6.8)', '8003 0009 00 000008 00000001 00008000', controlFrame('windowUpdate', [1, 32768])],
    ['DATA, the last (2.2.2)', '00000001 01 000005 68656c6c6f', Buffer.concat([dataHead(1, 5, true), Buffer.from('hello')])],
  ])('%s', (_name, want, written) => {
    expect(written).toEqual(hex(want));
    // a cut anywhere has the same result
    for (let cut = 1; cut < written.length; cut++) {
      const reader = new FrameReader();
      const frames: Frame[] = [...reader.push(written.subarray(0, cut)), ...reader.push(written.subarray(cut))];
      const first = frames[0];
      const bytes =
        first.kind === 'control'
          ? Buffer.concat([written.subarray(0, 8), first.payload])
          : Buffer.concat([written.subarray(0, 8), ...frames.map((frame) => (frame.kind === 'data' ? frame.data : hex('')))]);
      expect(bytes).toEqual(written);
    }
  });
});

/** Two blocks of one connection, compressed by Python's zlib with the SPDY/3 dictionary. */
const blocks = [
  {
    headers: { streamtype: 'error', port: '8080', requestid: '0' },
    bytes: '78bbe3c6a7c202253a703a2b294a4dcc851625aca9a0808614cb45e01c6061606100a4398b20d198094ade8c0600000000ffff',
  },
  { headers: { streamtype: 'data', port: '8080', requestid: '0' }, bytes: 'c2aa19540e2512d60b000000ffff' },
];

describe('blocks of headers', () => {
  test('are read as another program has compressed them, one after the other', async () => {
    const reader = new HeaderReader();
    for (const { headers, bytes } of blocks) expect(await reader.read(hex(bytes))).toEqual(headers);
    reader.close();
  });

  test('begin with the checksum of the dictionary, and are compressed with what came before', async () => {
    const [writer, reader] = [new HeaderWriter(), new HeaderReader()];
    const [first, second] = [await writer.write(blocks[0].headers), await writer.write(blocks[1].headers)];
    expect(first.subarray(1, 6)).toEqual(hex('bb e3c6a7c2'));
    expect(second.length).toBeLessThan(20);
    expect([await reader.read(first), await reader.read(second)]).toEqual(blocks.map(({ headers }) => headers));
    writer.close();
    reader.close();
  });
});
