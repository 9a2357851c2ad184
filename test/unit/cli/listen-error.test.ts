import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainedListenError, portOwner } from '../../../runtime/cli/listen-error.ts';

const listenError = (code: string, address: string, port: number): Error =>
  Object.assign(new Error(`listen ${code}`), { syscall: 'listen', code, address, port });

describe('an address that cannot be bound', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  it('names the process that has the port, on Linux', () => {
    if (process.platform === 'linux') expect(portOwner(port)).toMatch(new RegExp(`^.+ \\(process ${process.pid}\\)$`));
    else expect(portOwner(port)).toBeUndefined();
  });

  it.each([
    ['EADDRINUSE', '127.0.0.1', 1, '127.0.0.1:1 is in use: end it, or choose another --secure-port (0: any free port)'],
    ['EADDRINUSE', '::1', 1, '[::1]:1 is in use: end it, or choose another --secure-port (0: any free port)'],
    ['EADDRNOTAVAIL', '192.0.2.1', 0, '--bind-address: 192.0.2.1 is not an address of this machine'],
    ['EACCES', '127.0.0.1', 443, '--secure-port: ports below 1024 need privileges, as 443 does'],
  ])('%s of %s:%d says what to do', (code, address, number, want) => {
    expect(explainedListenError(listenError(code, address, number))).toMatchObject({ message: want });
  });

  it('stays as it is for another reason', () => {
    const error = new Error('other');
    expect(explainedListenError(error)).toBe(error);
  });
});
