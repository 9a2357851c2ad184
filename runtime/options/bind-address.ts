import type { ServerOptions } from './server-options.ts';

/** The address that a server listens on. */
export const bindAddressOf = ({ bindAddress = '127.0.0.1' }: ServerOptions): string => bindAddress;
