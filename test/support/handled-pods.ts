import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { PodHandlers, TerminalSize } from '../../runtime/index.ts';

/** Handlers that run commands in this process, and connect ports to an echo server. */
export class TestPods {
  readonly sizes: TerminalSize[] = [];
  /** Emits when the client of the command `wait` disconnects. */
  readonly gone = new EventEmitter();
  readonly #echo: Server;

  private constructor(echo: Server) {
    this.#echo = echo;
  }

  static async open(): Promise<TestPods> {
    const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    return new TestPods(echo);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#echo.close(resolve));
  }

  readonly handlers: PodHandlers = {
    exec: async (pod, [command, ...args], io) => {
      if (command === 'fail') throw new Error('no such command');
      if (command === 'who') {
        io.stdout?.write(`${pod.metadata?.name}/${io.container}\n`);
        return 0;
      }
      if (command === 'wait') {
        await once(io.signal, 'abort');
        this.gone.emit('gone');
        return 0;
      }
      io.onResize((size) => this.sizes.push(size));
      const child = spawn(command, args, { stdio: [io.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
      io.signal.addEventListener('abort', () => child.kill());
      if (io.stdin && child.stdin) io.stdin.pipe(child.stdin.on('error', () => undefined));
      const ended = once(child, 'close');
      if (io.stdout) child.stdout?.pipe(io.stdout, { end: false });
      if (io.stderr) child.stderr?.pipe(io.stderr, { end: false });
      const [code] = await ended;
      return code ?? 137;
    },
    attach: async (_pod, { stdin, stdout }) => {
      stdout?.write('attached\n');
      if (stdin && stdout) for await (const chunk of stdin) stdout.write(chunk);
    },
    async *logs(pod, { container, tailLines = 3, follow, previous }) {
      if (previous) throw new Error(`previous terminated container "${container}" in pod "${pod.metadata?.name}" not found`);
      for (let line = 4 - tailLines; line <= 3; line++) yield `${container} ${line}\n`;
      if (follow) yield `${container} more\n`;
    },
    portForward: async (_pod, port, connection) => {
      if (port === 81) throw new Error('connection refused');
      const { port: local } = this.#echo.address() as { port: number };
      const socket = connect(local, '127.0.0.1');
      await Promise.all([pipeline(connection, socket), pipeline(socket, connection)]);
    },
  };
}

/** Returns a pod that runs on a node, as a kubelet reports it. */
export const runningPod = (name: string, containers: readonly string[]) => ({
  metadata: { name },
  spec: { nodeName: 'node', containers: containers.map((one) => ({ name: one, image: 'image' })) },
});
