import { systemClock } from '../../runtime/machinery/clock.ts';
import { silentLogger } from '../../runtime/machinery/logger.ts';
import { EtcdClient, type EtcdClientOptions } from '../../runtime/storage/etcd/etcd-client.ts';
import { type EtcdEngineOptions, openEtcdEngine } from '../../runtime/storage/etcd/etcd-engine.ts';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import { RebasedEngine } from './rebased-engine.ts';

/** Opens an engine over all keys of etcd. It never compacts by itself. */
export function openEngine(client: EtcdClientOptions, options: Partial<Omit<EtcdEngineOptions, 'client'>> = {}): Promise<Engine> {
  return openEngineOf(new EtcdClient(client), options);
}

/** Opens an engine with a client that a test has already used. */
export function openEngineOf(client: EtcdClient, options: Partial<Omit<EtcdEngineOptions, 'client'>> = {}): Promise<Engine> {
  const defaults = { prefix: '', clock: systemClock, logger: silentLogger, compactionInterval: 0 };
  return openEtcdEngine({ ...defaults, ...options, client });
}

/** Returns engines of one store that looks new: etcd is emptied, and revisions begin at 1. */
export async function newEngines(endpoints: readonly string[], count: number): Promise<readonly Engine[]> {
  const first = await openEngine({ endpoints });
  const { items } = await first.range('\0', '\u{10ffff}');
  for (const { key, modRevision } of items) await first.write({ type: 'delete', key, expect: modRevision });
  const base = first.revision() - 1;
  const engines = [first];
  while (engines.length < count) engines.push(await openEngine({ endpoints }));
  return engines.map((engine) => new RebasedEngine(engine, base));
}
