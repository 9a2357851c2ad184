import type { ServerOptions } from './server-options.ts';

/** Returns the address on which a server listens. */
export const bindAddressOf = ({ bindAddress = '127.0.0.1' }: ServerOptions): string => bindAddress;
