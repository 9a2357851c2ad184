import type { Duplex } from 'node:stream';
import { type Listener, serving } from '../../../network/listener.ts';
import { roomIn } from '../../room-in.ts';
import type { Command, Process } from '../process.ts';
import { addressOf, faultWords, isFault, LateError, NoAddressError, open, secondsOption, waitFor } from './connections.ts';
import { argumentsOf } from './support.ts';
import { pause } from './text.ts';

/* nc and ping. */

/** The most connections that wait for `nc -l`. */
const backlog = 16;

const nc: Command = async (process) => {
  const { flags, values, operands } = argumentsOf(process.args, 'pwesiqXxT');
  const protocol = flags.has('u') ? 'UDP' : 'TCP';
  if (flags.has('l')) {
    const port = Number(values.get('p') ?? operands.at(-1));
    if (!(port > 0 && port < 65_536)) {
      await process.err('nc: no port was given\n');
      return 1;
    }
    return listen(process, port, { protocol, keeps: flags.has('k'), command: values.get('e')?.split(' ') ?? [] });
  }
  const [host = '', text = ''] = operands;
  const port = Number(text.replace(/-.*$/, ''));
  if (host === '' || !(port > 0 && port < 65_536)) {
    await process.err(`nc: ${host === '' ? 'no destination' : `bad port '${text}'`}\n`);
    return 1;
  }
  const timeout = secondsOption(values.get('w'));
  const isVerbose = flags.has('v');
  let connection: Duplex;
  let address = '';
  try {
    address = await addressOf(process, host);
    connection = await open(process, address, port, { protocol, timeout });
  } catch (error) {
    if (error instanceof NoAddressError) await process.err(`nc: bad address '${host}'\n`);
    // the answer to a datagram that nobody takes is not waited for
    else if (isFault(error) && protocol === 'UDP') return 0;
    else if (isFault(error)) {
      if (isVerbose || !flags.has('z')) await process.err(`nc: ${host} (${address}:${port}): ${faultWords[error.code]}\n`);
    } else if (error instanceof LateError) await process.err('nc: timed out\n');
    else throw error;
    return 1;
  }
  if (isVerbose) await process.err(`${host} (${address}:${port}) open\n`);
  if (flags.has('z')) {
    connection.destroy();
    return 0;
  }
  return converse(process, connection, { timeout, endsWithInput: protocol === 'UDP' });
};

/** Sends the input, and prints what comes. */
async function converse(
  process: Process,
  connection: Duplex,
  { timeout = undefined as number | undefined, endsWithInput = false } = {},
): Promise<number> {
  const sending = (async () => {
    for await (const chunk of process.stdin.chunks(process.time)) if (!connection.write(chunk)) await roomIn(connection);
    if (!endsWithInput) connection.end();
  })();
  sending.catch(() => connection.destroy());
  const chunks = connection[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await waitFor(process, chunks.next(), timeout ?? (endsWithInput ? 1000 : undefined));
      if (next.done) return 0;
      await process.out(next.value);
    }
  } catch (error) {
    process.time.check();
    if (error instanceof LateError) return endsWithInput ? 0 : 1;
    return 0;
  } finally {
    connection.destroy();
  }
}

interface Listening {
  readonly protocol: 'TCP' | 'UDP';
  readonly keeps: boolean;
  readonly command: readonly string[];
}

async function listen(process: Process, port: number, { protocol, keeps, command }: Listening): Promise<number> {
  const waiting: Duplex[] = [];
  let wake = (): void => undefined;
  const accept: Listener = serving((connection) => {
    if (waiting.length >= backlog) connection.destroy();
    else waiting.push(connection);
    wake();
  });
  let release: () => void;
  try {
    release = await process.network.listen(port, accept, protocol);
  } catch {
    await process.err('nc: bind: Address already in use\n');
    return 1;
  }
  try {
    do {
      let connection = waiting.shift();
      while (connection === undefined) {
        await waitFor(
          process,
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        );
        connection = waiting.shift();
      }
      if (!keeps) release();
      if (command.length === 0) await converse(process, connection);
      else await serve(process, connection, command);
    } while (keeps);
    return 0;
  } finally {
    release();
    for (const connection of waiting) connection.destroy();
  }
}

/** Connects a command to a connection. */
async function serve(process: Process, connection: Duplex, [name = '', ...args]: readonly string[]): Promise<void> {
  const { Input } = await import('../input.ts');
  const out: Process['out'] = async (data) => {
    if (!connection.destroyed && !connection.write(data)) await roomIn(connection);
  };
  await process.run(name, {
    ...process,
    args,
    depth: process.depth + 1,
    stdin: new Input(connection.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>),
    out,
  });
  connection.end();
}

const ping: Command = async (process) => {
  const { values, operands, flags } = argumentsOf(process.args, 'cwWisIt');
  const [host] = operands;
  if (host === undefined) {
    await process.err('ping: usage error: Destination address required\n');
    return 1;
  }
  let address: string;
  try {
    address = await addressOf(process, host);
  } catch (error) {
    if (!(error instanceof NoAddressError)) throw error;
    await process.err(`ping: bad address '${host}'\n`);
    return 1;
  }
  const count = Number(values.get('c') ?? Number.POSITIVE_INFINITY);
  const deadline = process.clock.now() + (secondsOption(values.get('w')) ?? Number.POSITIVE_INFINITY);
  const interval = secondsOption(values.get('i')) ?? 1000;
  const say = async (text: string): Promise<void> => void (flags.has('q') || (await process.out(text)));
  await process.out(`PING ${host} (${address}): 56 data bytes\n`);
  let [sent, received] = [0, 0];
  while (sent < count && process.clock.now() < deadline) {
    const isThere = await answers(process, address);
    if (isThere) {
      await say(`64 bytes from ${address}: seq=${sent} ttl=63 time=0.100 ms\n`);
      received++;
    }
    sent++;
    if (sent < count) await pause(process, interval);
    else if (!isThere) await pause(process, secondsOption(values.get('W')) ?? 1000);
  }
  const lost = sent === 0 ? 0 : Math.round((100 * (sent - received)) / sent);
  await process.out(`\n--- ${host} ping statistics ---\n${sent} packets transmitted, ${received} packets received, ${lost}% packet loss\n`);
  if (received > 0) await process.out('round-trip min/avg/max = 0.100/0.100/0.100 ms\n');
  return received > 0 ? 0 : 1;
};

/** A port that no program listens on. */
const unusedPort = 1;

/** Reports whether an address is in the network. */
async function answers(process: Process, address: string): Promise<boolean> {
  try {
    (await open(process, address, unusedPort)).destroy();
    return true;
  } catch (error) {
    if (isFault(error)) return error.code === 'ECONNREFUSED';
    throw error;
  }
}

export const networkCommands: Readonly<Record<string, Command>> = { nc, ping };
