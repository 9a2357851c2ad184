import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SpdyConnection } from '../../../../runtime/streaming/spdy/connection.ts';
import { headerDictionary } from '../../../../runtime/streaming/spdy/dictionary.ts';
import type { SpdyStream } from '../../../../runtime/streaming/spdy/stream.ts';
import { type OtherStream, spdyTransport } from '../../../support/spdy-transport.ts';

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  if (server !== undefined) await new Promise((resolve) => server?.close(resolve));
  server = undefined;
});

/** Returns both ends of a connection. */
async function socketPair(): Promise<[Socket, Socket]> {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [serving] = (await accepted) as [Socket];
  for (const socket of [client, serving]) socket.on('error', () => undefined);
  sockets.push(client, serving);
  return [client, serving];
}

const long = Buffer.alloc(300_000, 'abcdefg');

/** Echoes a stream, and ends with the other side. */
function echo(stream: SpdyStream): void {
  // the other implementation requires these HTTP headers
  stream.reply({ ':status': '200', ':version': 'HTTP/1.1' });
  stream.pipe(stream);
}

async function exchange(stream: Duplex): Promise<Buffer> {
  stream.end(long);
  return buffer(stream);
}

describe('beside an implementation by others, which counts windows', () => {
  test('streams that it opens are served', async () => {
    const [client, serving] = await socketPair();
    const opened: SpdyStream[] = [];
    new SpdyConnection({
      transport: serving,
      role: 'server',
      onStream: (stream) => {
        opened.push(stream);
        echo(stream);
      },
    });
    const other = spdyTransport.connection.create(client, { protocol: 'spdy', isServer: false });
    other.on('error', () => undefined).start(3.1);
    const headers = { streamtype: 'stdin' };
    const stream = await new Promise<OtherStream>((resolve, reject) => {
      const request = { method: 'POST', path: '/', host: 'h', headers };
      other.request(request, (error, one) => (error === null ? resolve(one) : reject(error)));
    });
    stream.on('response', () => undefined);
    expect((await exchange(stream)).equals(long)).toBe(true);
    expect(opened.map((one) => one.headers)).toMatchObject([headers]);
    await new Promise<void>((resolve) => other.ping(resolve));
  });

  test('it serves streams', async () => {
    const [client, serving] = await socketPair();
    const other = spdyTransport.connection.create(serving, { protocol: 'spdy', isServer: true });
    const paths: string[] = [];
    other
      .on('error', () => undefined)
      .on('stream', (stream) => {
        paths.push(stream.headers.streamtype);
        stream.respond(200, {});
        stream.pipe(stream);
      });
    other.start(3.1);
    const connection = new SpdyConnection({ transport: client, role: 'client' });
    const pseudo = { ':method': 'POST', ':path': '/', ':version': 'HTTP/1.1', ':host': 'h', ':scheme': 'https' };
    for (const streamtype of ['stdin', 'error']) {
      const stream = await connection.open({ ...pseudo, streamtype });
      expect((await exchange(stream)).equals(long)).toBe(true);
    }
    expect(paths).toEqual(['stdin', 'error']);
    connection.close();
    await connection.closed;
  });
});

describe('two connections', () => {
  async function connectionPair(onStream: (stream: SpdyStream) => void) {
    const [one, other] = await socketPair();
    const serving = new SpdyConnection({ transport: other, role: 'server', onStream });
    return { client: new SpdyConnection({ transport: one, role: 'client' }), serving };
  }

  test('have many streams at once', async () => {
    const { client } = await connectionPair(echo);
    const streams = await Promise.all(Array.from({ length: 20 }, (_, at) => client.open({ at: String(at) })));
    const echoed = await Promise.all(streams.map(exchange));
    expect(echoed.every((one) => one.equals(long))).toBe(true);
  });

  test('end each direction by itself', async () => {
    const { client } = await connectionPair((stream) => {
      stream.reply();
      const read: Buffer[] = [];
      stream.on('data', (part: Buffer) => read.push(part));
      stream.on('end', () => stream.end(`read ${Buffer.concat(read)}`));
    });
    const stream = await client.open({});
    stream.end('this');
    expect(await text(stream)).toBe('read this');
  });

  test('go on with other streams while nobody reads one', async () => {
    const { client } = await connectionPair((stream) => (stream.headers.kind === 'ignored' ? stream.reply() : echo(stream)));
    const ignored = await client.open({ kind: 'ignored' });
    ignored.write(Buffer.alloc(100_000));
    expect((await exchange(await client.open({ kind: 'read' }))).equals(long)).toBe(true);
  });

  test.each([
    ['refused', 'refusedStream'],
    ['canceled', 'cancel'],
  ] as const)('tell when a stream is %s', async (_name, status) => {
    const { client } = await connectionPair((stream) => stream.reset(status));
    const [error] = await once(await client.open({}), 'error');
    expect(error).toMatchObject({ status });
  });

  test('end streams when the other side goes away', async () => {
    const { client, serving } = await connectionPair((stream) => {
      stream.reply();
      stream.once('data', () => serving.close());
    });
    const stream = await client.open({});
    stream.write('x');
    expect(await text(stream)).toBe('');
    await client.closed;
    await serving.closed;
  });

  test('end streams with an error when the connection breaks', async () => {
    const { client } = await connectionPair((stream) => stream.reply());
    const stream = await client.open({});
    for (const socket of sockets) socket.destroy();
    const [error] = await once(stream, 'error');
    expect(error).toMatchObject({ message: 'the connection is closed' });
    await expect(client.open({})).rejects.toThrow('the connection is closed');
  });
});

describe('what makes no sense', () => {
  const control = (type: number, payload: Buffer, flags = 0): Buffer => {
    const head = Buffer.from([0x80, 3, 0, type, flags, 0, 0, 0]);
    head.writeUIntBE(payload.length, 5, 3);
    return Buffer.concat([head, payload]);
  };
  const words = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
    return bytes;
  };
  const block = (bytes: Buffer): Buffer => deflateSync(bytes, { dictionary: headerDictionary, finishFlush: 2 });
  const header = (name: string): Buffer => Buffer.concat([words(name.length), Buffer.from(name), words(0)]);
  const open = (id: number, headers: Buffer): Buffer => {
    return control(1, Buffer.concat([words(id, 0), Buffer.alloc(2), block(headers)]));
  };
  const reset = (id: number, status: number): Buffer => control(3, words(id, status));

  async function serve(bytes: Buffer): Promise<{ answer: Buffer; opened: number }> {
    const [client, serving] = await socketPair();
    let opened = 0;
    const connection = new SpdyConnection({
      transport: serving,
      role: 'server',
      onStream: () => {
        opened += 1;
      },
    });
    const answer = buffer(client);
    client.end(bytes);
    await connection.closed;
    return { answer: await answer, opened };
  }

  test.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['another version', Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])],
    ['a control frame of 16 MiB', Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff])],
    ['a truncated SYN_STREAM', control(1, words(1))],
    ['a truncated RST_STREAM', control(3, words(1))],
    ['a truncated PING', control(6, Buffer.alloc(0))],
    ['headers that are not compressed', control(1, Buffer.concat([words(1, 0), Buffer.alloc(12, 0xff)]))],
    ['headers that are cut off', open(1, words(3))],
    ['too many headers', open(1, words(2 ** 31))],
    ['a header in upper case', open(1, Buffer.concat([words(1), header('A')]))],
    ['a header twice', open(1, Buffer.concat([words(2), header('a'), header('a')]))],
    ['headers that are small only when compressed', open(1, Buffer.alloc(10_000_000))],
  ])('ends the connection: %s', async (_name, bytes) => {
    expect(await serve(bytes)).toEqual({ answer: Buffer.alloc(0), opened: 0 });
  });

  test.each([
    ['data of a stream that is not there', Buffer.from([0, 0, 0, 9, 0, 0, 0, 1, 65])],
    ['a frame of an unknown type', control(77, words(1, 2, 3))],
    ['an answer to no ping', control(6, words(2))],
    ['a window of no stream', control(9, words(5, 1))],
  ])('is ignored: %s', async (_name, bytes) => {
    const ping = control(6, words(1));
    expect(await serve(Buffer.concat([bytes, ping]))).toEqual({ answer: ping, opened: 0 });
  });

  test.each([
    ['an even number', [open(2, words(0))], 0, reset(2, 1)],
    ['the number zero', [open(0, words(0))], 0, reset(0, 1)],
  ])('resets the stream: %s', async (_name, frames, opened, answer) => {
    expect(await serve(Buffer.concat(frames))).toEqual({ answer, opened });
  });

  test('bytes may come one by one', async () => {
    const [client, serving] = await socketPair();
    new SpdyConnection({ transport: serving, role: 'server', onStream: echo });
    const bytes = Buffer.concat([open(1, words(0)), Buffer.from([0, 0, 0, 1, 1, 0, 0, 2, 104, 105])]);
    for (const byte of bytes) client.write(Buffer.from([byte]));
    const echoed = Buffer.from([0, 0, 0, 1, 0, 0, 0, 2, 104, 105]);
    let answer = Buffer.alloc(0);
    while (!answer.includes(echoed)) answer = Buffer.concat([answer, ...(await once(client, 'data'))]);
  });
});
