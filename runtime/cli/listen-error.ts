import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
}

/**
 * Returns an error that says what to do if a server could not bind its address; any other error as it is. On Linux, it
 * names the process that has the port.
 */
export function explainedListenError(error: unknown): unknown {
  const { syscall, code, address = '', port = 0 } = error as ListenError;
  if (syscall !== 'listen') return error;
  const place = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  if (code === 'EADDRINUSE') {
    const owner = portOwner(port);
    const who = owner === undefined ? '' : ` by ${owner}`;
    return new Error(`${place} is in use${who}: end it, or choose another --secure-port (0: any free port)`, { cause: error });
  }
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`--bind-address: ${address} is not an address of this machine`, { cause: error });
  }
  if (code === 'EACCES') {
    return new Error(`--secure-port: ports below 1024 need privileges, as ${port} does`, { cause: error });
  }
  return error;
}

/** Returns the name and ID of the process that listens on a port, `node (process 4711)`. Undefined if it cannot be seen. */
export function portOwner(port: number): string | undefined {
  try {
    const inode = listeningInode(port);
    return inode === undefined ? undefined : ownerOf(`socket:[${inode}]`);
  } catch {
    // other systems have no /proc, and other users' processes cannot be read
    return undefined;
  }
}

/** Finds the socket in the kernel's tables of TCP. A line has `local_address` as hexadecimal and `st` 0A for LISTEN. */
function listeningInode(port: number): string | undefined {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'latin1').split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === '0A' && local?.endsWith(`:${hexadecimal}`)) return inode;
    }
  }
  return undefined;
}

function ownerOf(socket: string): string | undefined {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const owner = processes.find((pid) => descriptorsOf(pid).includes(socket));
  return owner === undefined ? undefined : `${readFileSync(`/proc/${owner}/comm`, 'utf8').trim()} (process ${owner})`;
}

function descriptorsOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => linkTarget(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}

/** A descriptor may be closed while others are read. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
