import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { annotationOf } from '../pods/behaviour.ts';
import { roomIn } from '../streams/room-in.ts';
import { type Listener, serving } from './listener.ts';

/** The longest accepted HTTP request, in bytes. */
const maxRequest = 64 * 1024;

/**
 * Returns what the annotation `port` (`port.8080` for one port) says that listens on a port of a pod: `echo`, `http:
 * TEXT`, or `127.0.0.1:PORT` of this machine. Undefined if the annotation is not there.
 *
 * @throws Error for a port of this machine that may not be reached
 */
export function annotatedListener(pod: Pod, port: number, allowsLocalhost: boolean): Listener | undefined {
  const target = annotationOf(pod, 'port', String(port));
  const local = /^127\.0\.0\.1:(\d{1,5})$/.exec(target ?? '');
  if (local !== null) {
    if (!allowsLocalhost) throw new Error('ports of this machine are not forwarded: --simulate-forward-to-localhost is off');
    return () => connect({ host: '127.0.0.1', port: Number(local[1]), allowHalfOpen: true });
  }
  if (target === 'echo') return echo;
  return target?.startsWith('http:') ? answering(target.slice('http:'.length).trim()) : undefined;
}

/** Returns the listener of a port that one of the containers declares, and whose program nobody knows. */
export function declaredListener(pod: Pod, containers: readonly Container[], port: number): Listener | undefined {
  const { name, namespace } = pod.metadata;
  const isDeclared = containers.some(({ ports }) => ports?.some(({ containerPort }) => containerPort === port));
  return isDeclared ? answering(`simulated pod ${namespace}/${name}, port ${port}`) : undefined;
}

const echo = serving((connection) => void connection.pipe(connection));

const answering = (text: string): Listener => serving((connection) => answerRequests(connection, text));

/** Responds to each request with the same text. Request bodies are not supported. */
async function answerRequests(connection: Duplex, text: string): Promise<void> {
  const slice = new TimeSlice();
  let pending = '';
  for await (const chunk of connection.iterator({ destroyOnReturn: false })) {
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
