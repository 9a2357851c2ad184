import type { ObjectEvent } from '../../runtime/storage/object-store/contract.ts';
import type { TestObject } from '../support/test-object.ts';

/** Returns amounts in thousandths, precise enough for the simulation's quantities. */
export const milli = (text: string): number =>
  text.endsWith('m') ? Number(text.slice(0, -1)) : text.endsWith('k') ? Number(text.slice(0, -1)) * 1e6 : Number(text) * 1000;

/** Returns one object's usage of each resource. */
function usageOf(resource: string, { spec, status }: TestObject): Record<string, number> {
  if (resource === 'configmaps') return { configmaps: 1000, 'count/configmaps': 1000 };
  if (resource === 'services') {
    const ports = spec.type === 'NodePort' ? spec.ports.length : 0;
    return { services: 1000, 'services.nodeports': ports * 1000 };
  }
  if (['Succeeded', 'Failed'].includes(status?.phase)) return { 'count/pods': 1000 };
  const cpu = spec.containers[0].resources?.requests?.cpu;
  return { 'count/pods': 1000, pods: 1000, ...(cpu === undefined ? {} : { 'requests.cpu': milli(cpu) }) };
}

const isInScope = (scope: string, resource: string, { spec }: TestObject): boolean => {
  if (resource !== 'pods') return false;
  const isBestEffort = spec.containers[0].resources?.requests?.cpu === undefined;
  return (scope === 'BestEffort') === isBestEffort;
};

interface Seen {
  readonly resource: string;
  readonly object: TestObject;
}

/** The contents of one namespace, recounted on every call, and the errors of quotas so far. */
export class QuotaModel {
  readonly #objects = new Map<string, Seen>();
  readonly quotas = new Map<string, TestObject>();
  /** The correct quotas at the start of the writers. */
  readonly #watched = new Set<string>();
  readonly problems: string[] = [];

  names(resource: string): string[] {
    return [...this.#objects].filter(([, seen]) => seen.resource === resource).map(([, { object }]) => object.metadata.name as string);
  }

  onEvent(resource: string, { type, object: stored }: ObjectEvent): void {
    const key = `${resource}/${stored.name}`;
    if (resource === 'resourcequotas') this.#onQuota(type, stored.decode() as TestObject);
    else if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, { resource, object: stored.decode() as TestObject });
    for (const quota of this.quotas.values()) this.#requireEnough(quota, `${type} ${key}`);
  }

  /** From now on, quotas must be correct at every moment. */
  watchAll(): void {
    for (const { metadata } of this.quotas.values()) this.#watched.add(metadata.uid as string);
  }

  /** Returns the correct usage of the quota. */
  used({ spec }: TestObject): Record<string, number> {
    const used = Object.fromEntries(Object.keys(spec.hard).map((name) => [name, 0]));
    for (const { resource, object } of this.#objects.values()) {
      if (!(spec.scopes ?? []).every((scope: string) => isInScope(scope, resource, object))) continue;
      for (const [name, amount] of Object.entries(usageOf(resource, object))) if (name in used) used[name] += amount;
    }
    return used;
  }

  /** Returns the correct status of the quota, with amounts in thousandths. */
  truthOf(quota: TestObject) {
    const hard = Object.entries<string>(quota.spec.hard).map(([name, amount]) => [name, milli(amount)]);
    return { hard: Object.fromEntries(hard), used: this.used(quota) };
  }

  #onQuota(type: string, quota: TestObject): void {
    const [name, uid] = [quota.metadata.name as string, quota.metadata.uid as string];
    const before = this.quotas.get(name);
    if (type === 'DELETED') this.quotas.delete(name);
    else this.quotas.set(name, quota);
    if (type !== 'MODIFIED' || !this.#watched.has(uid)) return;
    for (const [resource, hard] of Object.entries<string>(quota.status.hard)) {
      const used = milli(quota.status.used[resource]);
      const usedBefore = milli(before?.status.used[resource] ?? '0');
      if (used > milli(hard) && used > usedBefore) this.problems.push(`${name}: ${resource}=${used} was raised above ${hard}`);
    }
  }

  #requireEnough(quota: TestObject, when: string): void {
    if (!this.#watched.has(quota.metadata.uid as string)) return;
    for (const [resource, amount] of Object.entries(this.used(quota))) {
      const used = quota.status.used[resource];
      if (used !== undefined && milli(used) < amount) {
        this.problems.push(`${when}: ${quota.metadata.name} says ${resource}=${used} where ${amount}m are stored`);
      }
    }
  }
}
