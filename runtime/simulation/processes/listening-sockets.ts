import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/* The sockets on which processes listen, as Linux shows them in /proc. */

/** A socket that listens. */
interface ListeningSocket {
  readonly inode: string;
  /** The address as a client dials it; undefined for all addresses. */
  readonly address: string | undefined;
}

/**
 * Returns the address at which processes of some sessions listen on a port.
 *
 * @param sessions the first process of each
 * @param own the address to dial if they listen at all addresses
 * @returns undefined if none of them listens: another program of the machine may
 */
export async function listeningAddress(port: number, sessions: ReadonlySet<number>, own: string): Promise<string | undefined> {
  const sockets = await socketsAt(port);
  if (sockets.length === 0) return undefined;
  const inodes = await inodesOf(sessions);
  const found = sockets.filter(({ inode }) => inodes.has(inode));
  const chosen = found.find(({ address }) => address === own) ?? found[0];
  return chosen && (chosen.address ?? own);
}

const listens = '0A';

async function socketsAt(port: number): Promise<ListeningSocket[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const sockets: ListeningSocket[] = [];
  for (const line of tables.join('\n').split('\n')) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', hex = ''] = local.split(':');
    if (state === listens && Number.parseInt(hex, 16) === port) sockets.push({ inode, address: addressOf(address) });
  }
  return sockets;
}

/** Reads an address of /proc/net/tcp: words of four bytes, the last byte first. */
function addressOf(hex: string): string | undefined {
  if (/^0+$/.test(hex)) return undefined;
  const isMapped = hex.startsWith('0000000000000000FFFF0000');
  const last = hex.slice(-8);
  if (hex.length === 8 || isMapped) {
    const bytes = [6, 4, 2, 0].map((at) => Number.parseInt(last.slice(at, at + 2), 16));
    return bytes.every((byte) => byte === 0) ? undefined : bytes.join('.');
  }
  return hex === '00000000000000000000000001000000' ? '::1' : undefined;
}

async function inodesOf(sessions: ReadonlySet<number>): Promise<ReadonlySet<string>> {
  const inodes = new Set<string>();
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || !sessions.has(await sessionOf(pid))) continue;
    const folder = join('/proc', pid, 'fd');
    for (const file of await readdir(folder).catch(() => [])) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(await readlink(join(folder, file)).catch(() => '')) ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

/** Returns 0 for a process that has ended. (proc_pid_stat) */
async function sessionOf(pid: string): Promise<number> {
  const stat = await readFile(join('/proc', pid, 'stat'), 'utf8').catch(() => '');
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session ?? 0);
}
