import type { Duplex } from 'node:stream';
import { DialFault } from '../../../network/dial-fault.ts';
import { addressesOf } from '../../../network/dns/look-up.ts';
import type { Protocol } from '../../../network/endpoint.ts';
import type { Process } from '../process.ts';

/* What the commands of the network share. */

/** Something took longer than a command waits. */
export class LateError extends Error {}

const maxDelay = 2 ** 31 - 1;

/**
 * Waits for work, unless the process is killed.
 *
 * @param ms milliseconds after which the work is late. Default: never
 * @throws KilledError
 * @throws LateError
 */
export async function waitFor<T>({ clock, time }: Pick<Process, 'clock' | 'time'>, work: Promise<T>, ms?: number): Promise<T> {
  let stop = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    const forget = time.onKill(() => reject(new LateError('killed')));
    const cancel = ms === undefined ? () => undefined : clock.after(Math.min(ms, maxDelay), () => reject(new LateError('late')));
    stop = () => {
      cancel();
      forget();
    };
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    stop();
    time.rested();
    time.check();
  }
}

/** Linux's words for a connection that could not be opened. */
export const faultWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ETIMEDOUT: 'Connection timed out',
};

/** A name has no address. */
export class NoAddressError extends Error {}

/**
 * Returns the first address of a name.
 *
 * @throws NoAddressError
 */
export async function addressOf(process: Process, name: string): Promise<string> {
  const [address] = await waitFor(process, addressesOf(name, process));
  if (address === undefined) throw new NoAddressError(name);
  return address;
}

/**
 * Opens a connection, which is closed when the process is killed.
 *
 * @throws DialFault
 * @throws LateError
 */
export async function open(
  process: Process,
  address: string,
  port: number,
  { protocol = 'TCP' as Protocol, timeout = undefined as number | undefined } = {},
): Promise<Duplex> {
  const connection = await waitFor(process, process.network.dial(address, port, protocol), timeout);
  connection.on('error', () => undefined);
  const forget = process.time.onKill(() => void connection.destroy());
  connection.once('close', forget);
  return connection;
}

export const isFault = (error: unknown): error is DialFault => error instanceof DialFault;

/** Returns milliseconds for a number of seconds; undefined for none. */
export function secondsOption(text: string | undefined): number | undefined {
  const seconds = Number(text);
  return text === undefined || text === '' || Number.isNaN(seconds) ? undefined : seconds * 1000;
}
