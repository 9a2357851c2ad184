import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as columns from '../../../../runtime/kinds/overlays/columns.ts';
import * as conversion from '../../../../runtime/kinds/overlays/conversion.ts';
import * as defaults from '../../../../runtime/kinds/overlays/defaults.ts';
import * as selectable from '../../../../runtime/kinds/overlays/selectable-fields.ts';
import * as rules from '../../../../runtime/kinds/overlays/validation.ts';
import { goPackage, TypeBook } from '../../../support/go-types.ts';
import { readOverlays } from '../../../support/overlays.ts';
import { describeShared } from '../../../support/shared.ts';

const overlays = readOverlays();

test('every overlay names functions that exist', () => {
  const missing: string[] = [];
  const check = (exported: object, name: string, where: string): void => {
    if (!(name in exported)) missing.push(`${where}: ${name}`);
  };
  for (const [name, { types = {}, resources = {} }] of overlays) {
    for (const [type, overlay] of Object.entries(types)) {
      for (const rule of overlay.defaults ?? []) if ('custom' in rule) check(defaults, rule.custom, `${name} ${type}`);
      for (const rule of overlay.rules ?? []) if (rule.check === 'custom') check(rules, rule.name, `${name} ${type}`);
    }
    for (const [plural, overlay] of Object.entries(resources)) {
      const where = `${name} ${plural}`;
      for (const { custom } of overlay.columns ?? []) if (custom) check(columns, custom, where);
      for (const field of Object.values(overlay.selectableFields ?? {})) {
        if (typeof field === 'object' && 'custom' in field) check(selectable, field.custom, where);
      }
      if (overlay.conversion && 'custom' in overlay.conversion) check(conversion, overlay.conversion.custom, where);
    }
  }
  expect(missing).toEqual([]);
});

describeShared('overlays against the schemas of v1.35', (shared) => {
  const schemas = join(shared, 'schemas', 'v1.35');
  const book = (): TypeBook => new TypeBook(schemas);

  test('there is one for each served group-version', () => {
    const served = readdirSync(join(schemas, 'openapi'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) =>
        file
          .replace(/^api\//, 'core/')
          .replace(/^apis\//, '')
          .replace(/\.json$/, ''),
      )
      .sort();
    expect([...overlays.keys()].sort()).toEqual(served);
  });

  test('types and fields exist', () => {
    const types = book();
    const missing: string[] = [];
    for (const [name, overlay] of overlays) {
      for (const [type, { defaults: fills = [], rules: checks = [], openEnums = [] }] of Object.entries(overlay.types ?? {})) {
        const fields = types.fields(goPackage(name), type);
        if (!fields) {
          missing.push(`${name} ${type}`);
          continue;
        }
        const used = [
          ...[...fills, ...checks].flatMap((rule) => [
            ...('field' in rule && rule.field !== undefined ? [rule.field] : []),
            ...('when' in rule ? Object.keys(rule.when ?? {}) : []),
            ...('from' in rule ? [rule.from] : []),
          ]),
          ...openEnums,
        ];
        for (const path of used) if (!types.leads(goPackage(name), type, path.split('.'))) missing.push(`${name} ${type}.${path}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('resources exist, and their columns and selectors name fields', () => {
    const types = book();
    const missing: string[] = [];
    for (const [name, overlay] of overlays) {
      const document = JSON.parse(
        readFileSync(join(schemas, 'openapi', name.startsWith('core/') ? 'api/v1.json' : `apis/${name}.json`), 'utf8'),
      ) as { paths: Record<string, Record<string, { 'x-kubernetes-group-version-kind'?: { kind: string } }>> };
      const kinds = new Map<string, string>();
      for (const [path, operations] of Object.entries(document.paths)) {
        const plural = /\/([a-z]+)\/?$/.exec(path)?.[1];
        const kind = (operations.get ?? operations.post)?.['x-kubernetes-group-version-kind']?.kind;
        if (plural && kind && !path.includes('{name}')) kinds.set(plural, kind);
      }
      for (const [plural, { columns: cells = [], selectableFields = {}, writeRules }] of Object.entries(overlay.resources ?? {})) {
        const kind = kinds.get(plural);
        if (kind === undefined) missing.push(`${name} ${plural}`);
        const paths = [
          ...cells.map(({ path }) => path),
          ...Object.values(selectableFields).map((field) => (typeof field === 'string' ? field : 'path' in field ? field.path : undefined)),
          ...(writeRules?.statusFields ?? []),
        ].filter((path) => path !== undefined);
        for (const path of paths) {
          if (!types.leads(goPackage(name), kind ?? '', path.split('.'))) missing.push(`${name} ${plural}: ${path}`);
        }
      }
      for (const plural of kinds.keys()) if (!overlay.resources?.[plural]) missing.push(`${name} ${plural} has no overlay`);
    }
    expect(missing).toEqual([]);
  });
});
