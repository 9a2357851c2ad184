import { describe, expect, test } from '@jest/globals';
import type { GroupVersionCatalog } from '../../../runtime/machinery/catalog.ts';
import type { ResourceDefinition, ResourceFacts } from '../../../runtime/machinery/resource.ts';
import { ResourceRegistry } from '../../../runtime/resources/registry.ts';

function facts(group: string, version: string, resource: string): ResourceFacts {
  return {
    group,
    version,
    resource,
    kind: resource,
    singular: resource,
    listKind: `${resource}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: [],
    stored: true,
    storageVersion: version,
    resourcePrefix: resource,
  };
}

const define = (of: ResourceFacts): ResourceDefinition => ({ ...of }) as unknown as ResourceDefinition;
const live = (of: ResourceFacts) => ({ facts: of, load: async () => define(of) });

function registryOf(...names: (readonly [group: string, version: string, resource: string])[]): ResourceRegistry {
  const registry = new ResourceRegistry();
  const groupVersions = names.map(([group, version, resource]): GroupVersionCatalog => {
    const resources = [facts(group, version, resource)];
    return { group, version, resources, load: async () => resources.map(define) };
  });
  registry.add({ release: 'v1', groupVersions, loadMeta: async () => ({}) });
  return registry;
}

const shown = (registry: ResourceRegistry): string[] =>
  registry.groupVersions().map(({ group, version, resources }) => {
    return `${group}/${version} ${resources.map(({ resource }) => resource).join()}`;
  });

describe('a registry', () => {
  test('lists groups of catalogs first, then the others by name; in a shared group, the resources of the catalog first', () => {
    const registry = registryOf(['z', 'v1', 'a'], ['b', 'v1', 'a']);
    for (const [group, version] of [
      ['y', 'v1beta1'],
      ['y', 'v2'],
      ['c', 'v1'],
      ['z', 'v2'],
      ['y', 'v10'],
    ] as const) {
      registry.put(live(facts(group, version, 'x')));
    }
    registry.put(live(facts('b', 'v1', 'x')));
    expect(shown(registry)).toEqual(['z/v2 x', 'z/v1 a', 'b/v1 a,x', 'c/v1 x', 'y/v10 x', 'y/v2 x', 'y/v1beta1 x']);
  });

  test('keeps lists while their resources do not change', () => {
    const registry = registryOf(['z', 'v1', 'a']);
    registry.put(live(facts('y', 'v1', 'x')));
    const [first, second] = registry.groupVersions();
    const { resources } = first;
    registry.put(live(facts('y', 'v1', 'w')));
    expect(registry.groupVersions()[0].resources).toBe(resources);
    expect(registry.groupVersions()[1]).toBe(second);
    expect(second.resources.map(({ resource }) => resource)).toEqual(['x', 'w']);
  });

  test('keeps resources of a catalog visible when others are added', async () => {
    const registry = registryOf(['z', 'v1', 'a']);
    expect(registry.put(live(facts('z', 'v1', 'a')))).toBe(false);
    registry.remove('z', 'v1', 'a');
    expect(registry.lookup('z', 'v1', 'a')?.stopSignal).toBeUndefined();
    expect((await registry.definition({ group: 'z', version: 'v1', resource: 'a' })).resource).toBe('a');
  });

  test('stops resources that are replaced or removed, and reports each change', () => {
    const registry = registryOf(['z', 'v1', 'a']);
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    registry.put(live(facts('y', 'v1', 'x')));
    const first = registry.lookup('y', 'v1', 'x');
    let ended = 0;
    first?.stopSignal?.onStop(() => ended++);
    const forget = first?.stopSignal?.onStop(() => ended++);
    forget?.();
    registry.updateFacts({ ...facts('y', 'v1', 'x'), shortNames: ['s'] });
    expect(ended).toBe(0);
    expect(registry.groupVersions()[1].resources[0].shortNames).toEqual(['s']);
    registry.put(live(facts('y', 'v1', 'x')));
    expect(ended).toBe(1);
    registry.remove('y', 'v1', 'x');
    expect(ended).toBe(1);
    expect(registry.lookup('y', 'v1', 'x')).toBeUndefined();
    expect(registry.serves('y', 'v1')).toBe(false);
    expect(changes).toEqual(Array(3).fill({ group: 'y', version: 'v1', resource: 'x' }));
  });

  test('retries loading a definition', async () => {
    const registry = registryOf(['z', 'v1', 'a']);
    let attempts = 0;
    registry.put({
      facts: facts('y', 'v1', 'x'),
      load: async () => {
        attempts++;
        if (attempts === 1) throw new Error('not now');
        return define(facts('y', 'v1', 'x'));
      },
    });
    const entry = registry.lookup('y', 'v1', 'x');
    await expect(entry?.load()).rejects.toThrow('not now');
    expect((await entry?.load())?.resource).toBe('x');
    await entry?.load();
    expect(attempts).toBe(2);
  });
});
