import type { Part } from '../../../machinery/object.ts';
import type { ResourceHooks } from '../../hooks.ts';

/** (apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go) */
export const customResourceDefinitions: ResourceHooks = {
  prepareForCreate(definition) {
    const stored = (definition.spec?.versions ?? []).filter(({ storage }: Part) => storage);
    definition.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored.map(({ name }: Part) => name),
    };
  },
  prepareForUpdate(definition, _old, _context, part) {
    if (part !== 'main') return;
    const storedVersions: string[] = definition.status?.storedVersions ?? [];
    for (const { name, storage } of definition.spec?.versions ?? []) {
      if (storage && !storedVersions.includes(name)) {
        definition.status = { ...definition.status, storedVersions: [...storedVersions, name] };
      }
    }
  },
};
