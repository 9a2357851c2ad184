import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { addressesOf } from '../../network/dns/look-up.ts';
import { getText } from './client.ts';
import { flagsOf, numberFlag } from './flags.ts';
import { http, pathOf, queryOf, respond, respondError } from './http-service.ts';
import { logLine, type ServerHost, type ServerProgram, tcp } from './server.ts';

/** The most entries of a store, and the most replicas. */
const maxEntries = 10_000;
const maxReplicas = 100;
/** Milliseconds between two attempts to register at the primary, and for how long they go on. */
const retryInterval = 1000;
const registrationTimeout = 15_000;

/** agnhost guestbook: a store of keys with replicas. (test/images/agnhost/guestbook) */
export function guestbook(host: ServerHost): ServerProgram {
  const flags = flagsOf(host.args);
  const port = numberFlag(flags, 'http-port', 80);
  const backend = numberFlag(flags, 'backend-port', 6379);
  const primary = flags.get('replicaof') ?? '';
  const log = (message: string): void => host.print(logLine(host.clock, message));
  const replicas: string[] = [];
  let store = new Map<string, unknown>();

  const ask = async (name: string, request: string): Promise<string> => {
    const [address] = await addressesOf(name, host);
    if (address === undefined) throw new Error(`lookup ${name}: no such host`);
    return getText(host, address, backend, `/${request}`);
  };
  const register = async (): Promise<void> => {
    const { address } = host.network;
    log(`Registering to primary: ${primary}:${backend}/register?host=${address}`);
    const { data = {} } = JSON.parse(await ask(primary, `register?host=${address}`)) as { data?: Record<string, unknown> };
    store = new Map(Object.entries(data));
    log(`Registered to node: ${primary}`);
  };
  const tryToRegister = (until: number): void => {
    void register().catch((error: unknown) => {
      log(`encountered error while registering to primary: ${messageOf(error)}. Retrying in 1s.`);
      if (host.clock.now() < until) host.clock.after(retryInterval, () => tryToRegister(until));
      else {
        log('Timed out while registering to primary.');
        host.exit(1);
      }
    });
  };
  if (primary !== '') tryToRegister(host.clock.now() + registrationTimeout);

  const routes: Readonly<Record<string, (query: URLSearchParams, response: ServerResponse) => void | Promise<void>>> = {
    '/register': (query, response) => {
      const replica = query.get('host') ?? '';
      log(`GET /register?host=${replica}`);
      respond(response, 200, JSON.stringify({ data: Object.fromEntries(store) }));
      if (replicas.length < maxReplicas) replicas.push(replica);
      log(`Node '${replica}' registered.`);
    },
    '/get': (query, response) => {
      const key = query.get('key') ?? '';
      log(`GET /get?key=${key}`);
      respond(response, 200, JSON.stringify({ data: key === '' ? Object.fromEntries(store) : (store.get(key) ?? '') }));
    },
    '/set': async (query, response) => {
      const [key, value] = [query.get('key') ?? '', query.get('value') ?? ''];
      log(`GET /set?key=${key}&value=${value}`);
      if (key === '') return respondError(response, 400, 'cannot set with empty key.');
      if (store.size >= maxEntries && !store.has(key)) return respondError(response, 417, 'the store is full');
      store.set(key, value);
      for (const replica of replicas) {
        try {
          await getText(host, replica, backend, `/set?${new URLSearchParams({ key, value })}`);
        } catch (error) {
          return respondError(response, 417, `encountered error while propagating to replica '${replica}': ${messageOf(error)}`);
        }
      }
      respond(response, 200, JSON.stringify({ message: 'Updated' }));
    },
    '/guestbook': async (query, response) => {
      const [command, key, value] = ['cmd', 'key', 'value'].map((name) => query.get(name) ?? '') as [string, string, string];
      log(`GET /guestbook?cmd=${command}&key=${key}&value=${value}`);
      const kind = command.toLowerCase();
      if (kind !== 'get' && kind !== 'set') return respondError(response, 400, `unsupported cmd: '${kind}'`);
      if (kind === 'set' && key === '') return respondError(response, 400, 'cannot set with empty key.');
      try {
        const name = kind === 'get' ? 'agnhost-replica' : 'agnhost-primary';
        respond(response, 200, await ask(name, `${kind}?${new URLSearchParams({ key, value })}`));
      } catch (error) {
        respondError(response, 417, `encountered error: ${messageOf(error)}`);
      }
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = routes[pathOf(request)];
    if (route === undefined) respondError(response, 404, '404 page not found');
    else await route(queryOf(request), response);
  };
  return { greeting: [], ports: [tcp(port, http(serve))] };
}
