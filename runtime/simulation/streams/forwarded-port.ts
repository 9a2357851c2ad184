import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { quote } from '../../machinery/go/quote.ts';
import { annotationOf } from '../pods/behaviour.ts';
import { roomIn } from './room-in.ts';

/** The longest accepted HTTP request, in bytes. */
const maxRequest = 64 * 1024;

/**
 * Connects to a port of a simulated pod. The annotation `port` (`port.8080` for one port) names the target: `echo`,
 * `http: TEXT`, or `127.0.0.1:PORT` on this machine. Ports that containers declare respond to HTTP requests by default.
 *
 * @throws Error if nothing listens on the port
 */
export async function connectToPort(pod: Pod, port: number, connection: Duplex, allowsLocalhost: boolean): Promise<void> {
  const target = annotationOf(pod, 'port', String(port)) ?? (isDeclared(pod, port) ? `http: ${greeting(pod, port)}` : undefined);
  const local = /^127\.0\.0\.1:(\d{1,5})$/.exec(target ?? '');
  if (local !== null) {
    if (!allowsLocalhost) throw new Error('ports of this machine are not forwarded: --simulate-forward-to-localhost is off');
    const socket = connect({ host: '127.0.0.1', port: Number(local[1]), allowHalfOpen: true });
    await Promise.all([pipeline(connection, socket), pipeline(socket, connection)]);
  } else if (target === 'echo') await pipeline(connection, connection);
  else if (target?.startsWith('http:')) await answerRequests(connection, target.slice('http:'.length).trim());
  else throw refused(pod, port);
}

const greeting = ({ metadata }: Pod, port: number): string => `simulated pod ${metadata.namespace}/${metadata.name}, port ${port}`;

const isDeclared = ({ spec }: Pod, port: number): boolean =>
  [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(({ ports }) =>
    ports?.some(({ containerPort }) => containerPort === port),
  );

/** Returns the error in containerd's words. */
function refused({ metadata }: Pod, port: number): Error {
  const namespace = `/var/run/netns/cni-${metadata.uid}`;
  const why = `dial tcp4 127.0.0.1:${port}: connect: connection refused, dial tcp6: address localhost: no suitable address found`;
  return new Error(`failed to connect to localhost:${port} inside namespace ${quote(namespace)}, IPv4: ${why}`);
}

/** Responds to each request with the same text. Request bodies are not supported. */
async function answerRequests(connection: Duplex, text: string): Promise<void> {
  const slice = new TimeSlice();
  let pending = '';
  for await (const chunk of connection) {
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const isHead = pending.startsWith('HEAD ');
      pending = pending.slice(end + 4);
      const body = `${text}\n`;
      const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
      if (!connection.write(isHead ? head : head + body)) await roomIn(connection);
      if (slice.isOver) await slice.next();
    }
    if (pending.length > maxRequest) break;
  }
  connection.end();
}
