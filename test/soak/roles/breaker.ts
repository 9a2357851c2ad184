import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { World } from '../world.ts';

const head = 'GET /api/v1/configmaps HTTP/1.1\r\nhost: x\r\n';
const unfinished =
  'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{';
/** The beginning of a ClientHello. */
const hello = Buffer.from('160301020001', 'hex');

/** Breaks connections off: in TLS, in headers, in a body, in an unread response. */
export async function breaker({ credentials, random }: World): Promise<void> {
  const { host, port, ca, cert, key } = credentials;
  const sockets: Socket[] = [];
  const speakers: Socket[] = [];
  for (let at = 0; at < 5; at++) {
    const isPlain = random.chance(0.4);
    const socket = connectPlain(port, host);
    const speaker = isPlain ? socket : connect({ socket, ca, cert, key, servername: 'localhost' });
    sockets.push(socket);
    speakers.push(speaker);
    // it fails on purpose
    for (const one of [socket, speaker]) one.on('error', () => {});
    if (isPlain) speaker.write(random.pick([hello, head, Buffer.alloc(1_000, 0xff), '']));
    else speaker.write(random.pick([head, unfinished, `${head}\r\n`, `${head}\r\n`.repeat(50), 'nonsense\r\n\r\n', '']));
  }
  await setTimeout(random.between(1, 200));
  for (const [at, speaker] of speakers.entries()) {
    if (random.chance(0.3)) speaker.end();
    else if (random.chance(0.5)) sockets[at].resetAndDestroy();
    else sockets[at].destroy();
  }
  await setTimeout(20);
  for (const socket of [...speakers, ...sockets]) socket.destroy();
}
