import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { formatDuration } from '../../../machinery/go/duration.ts';
import { type Listener, serving } from '../../network/listener.ts';
import { flagsOf, numberFlag } from './flags.ts';
import { http, pathOf, respond, respondError } from './http-service.ts';
import { logLine, type ServerHost, type ServerProgram, tcp } from './server.ts';

/** (google.golang.org/grpc/health/grpc_health_v1) */
const method = '/grpc.health.v1.Health/Check';
const healthy = Buffer.from([8, 1]);
const notServing = Buffer.from([8, 2]);
const notFound = '5';
const unimplemented = '12';
const maxMessage = 4096;

/** The answer to a check: a message, or a code and a text of gRPC. */
type Health = { readonly message: Buffer } | { readonly code: string; readonly text: string };

/** agnhost grpc-health-checking. (test/images/agnhost/grpc-health-checking) */
export function grpcHealthChecking({ args, clock, startedAt, print }: ServerHost): ServerProgram {
  const flags = flagsOf(args);
  const port = numberFlag(flags, 'port', 5000);
  const httpPort = numberFlag(flags, 'http-port', 8080);
  const delay = numberFlag(flags, 'delay-unhealthy-sec', -1);
  const own = flags.get('service') ?? '';
  let isUnhealthy: boolean | undefined;
  const check = (service: string): Health => {
    print(logLine(clock, 'Serving the Check request for health check'));
    if (service !== own) return { code: notFound, text: 'unknown service' };
    const isLate = delay >= 0 && clock.now() - startedAt >= delay * 1000;
    return { message: isUnhealthy === true || isLate ? notServing : healthy };
  };
  const control = http((request, response) => {
    const path = pathOf(request);
    if (path !== '/make-not-serving' && path !== '/make-serving') return respondError(response, 404, '404 page not found');
    isUnhealthy = path === '/make-not-serving';
    respond(response, 200, formatDuration(BigInt(Math.round((clock.now() - startedAt) * 1_000_000))));
  });
  const started = { ...clock, now: () => startedAt };
  return {
    greeting: [
      logLine(started, `Http server starting to listen on :${httpPort}`),
      logLine(started, `gRPC server starting to listen on :${port}`),
    ],
    ports: [tcp(port, grpc(check)), tcp(httpPort, control)],
  };
}

const handlers = new WeakMap<object, (service: string) => Health>();
const server = createServer();
server.on('stream', (stream, headers) => {
  const handler = stream.session?.socket && handlers.get(stream.session);
  answer(stream, headers[':path'] === method ? handler : undefined);
});

/** Returns a listener that answers checks of health over gRPC. */
function grpc(check: (service: string) => Health): Listener {
  return serving((connection: Duplex) => {
    server.once('session', (session) => void handlers.set(session, check));
    server.emit('connection', connection);
  });
}

function answer(stream: ServerHttp2Stream, check: ((service: string) => Health) | undefined): void {
  let request = Buffer.alloc(0);
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    request = Buffer.concat([request, chunk]).subarray(0, maxMessage);
  });
  stream.once('end', () => {
    const health = check?.(serviceOf(request.subarray(5))) ?? { code: unimplemented, text: 'unimplemented' };
    if ('code' in health) {
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': health.code, 'grpc-message': health.text },
        { endStream: true },
      );
      return;
    }
    const { message } = health;
    const frame = Buffer.alloc(5 + message.length);
    frame.writeUInt32BE(message.length, 1);
    message.copy(frame, 5);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(frame);
  });
}

/** Returns the first field of a HealthCheckRequest. */
function serviceOf(message: Buffer): string {
  return message[0] === 10 && message[1] !== undefined && message[1] < 0x80 ? message.toString('utf8', 2, 2 + message[1]) : '';
}
