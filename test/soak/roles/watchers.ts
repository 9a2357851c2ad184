import { connect } from 'node:http2';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RawConnection } from '../../bench/raw-client.ts';
import type { World } from '../world.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const urlOf = ({ credentials }: World, scheme = 'https'): string => `${scheme}://127.0.0.1:${credentials.port}`;

/** Watches for a while and disconnects, or lets the server end the watch. */
export async function watcher({ credentials, random }: World): Promise<void> {
  const connections = await Promise.all(Array.from({ length: 4 }, () => RawConnection.open(credentials)));
  for (const connection of connections) {
    const query = random.pick(['', '&timeoutSeconds=1', '&labelSelector=soak', '&allowWatchBookmarks=true']);
    connection.stream(RawConnection.request('GET', `${maps}?watch=1${query}`), () => {});
  }
  await setTimeout(random.between(1, 1_500));
  for (const connection of connections) connection.close();
}

/** Watches over WebSocket, and closes normally or not. */
export async function webSocketClient(world: World): Promise<void> {
  const { ca, cert, key } = world.credentials;
  const socket = new WebSocket(`${urlOf(world, 'wss')}${maps}?watch=1`, { origin: urlOf(world, 'https'), ca, cert, key });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  if (world.random.chance(0.3)) socket.send('nobody reads this');
  await setTimeout(world.random.between(1, 500));
  if (world.random.chance(0.5)) socket.close();
  else socket.terminate();
  await closed;
}

/** Opens a session with a few requests and watches, and closes or aborts it in the middle. */
export async function http2Client(world: World): Promise<void> {
  const { ca, cert, key } = world.credentials;
  const session = connect(urlOf(world), { ca, cert, key });
  // the abort is intended
  session.on('error', () => {});
  const paths = Array.from({ length: world.random.between(1, 20) }, () =>
    world.random.pick([maps, `${maps}?watch=1`, '/readyz', '/openapi/v2', '/nowhere']),
  );
  for (const path of paths) {
    const stream = session.request({ ':path': path });
    stream.on('error', () => {});
    stream.resume();
    if (world.random.chance(0.3)) stream.close();
  }
  await setTimeout(world.random.between(1, 300));
  session.destroy();
  await new Promise<void>((resolve) => (session.closed ? resolve() : session.once('close', resolve)));
}
