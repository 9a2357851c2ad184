import { grpcHealthChecking } from './grpc-health-checking.ts';
import { guestbook } from './guestbook.ts';
import { netexec } from './netexec.ts';
import type { StartServer } from './server.ts';
import { liveness, porter, serveHostname, tcpReset, testWebserver, webServer } from './small-servers.ts';

const ofAgnhost: Readonly<Record<string, StartServer>> = {
  'grpc-health-checking': grpcHealthChecking,
  guestbook,
  liveness,
  netexec,
  porter,
  'serve-hostname': serveHostname,
  'tcp-reset': tcpReset,
  'test-webserver': testWebserver,
};

const others: Readonly<Record<string, StartServer>> = {
  httpd: webServer('httpd'),
  'httpd-foreground': webServer('httpd'),
  nginx: webServer('nginx'),
};

/** Returns the server that a command starts, and its arguments; undefined if the simulation does not have it. */
export function serverOf(line: readonly string[]): { readonly start: StartServer; readonly args: readonly string[] } | undefined {
  const [name = '', ...args] = line;
  const base = name.replace(/^.*\//, '');
  const [command = '', ...rest] = args;
  if (/^agnhost(?:-2)?$/.test(base)) {
    return Object.hasOwn(ofAgnhost, command) ? { start: ofAgnhost[command] as StartServer, args: rest } : undefined;
  }
  return Object.hasOwn(others, base) ? { start: others[base] as StartServer, args } : undefined;
}
