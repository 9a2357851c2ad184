import { describe, expect, test } from '@jest/globals';
import { GeneratedFile } from '../../../../codegen/print/generated-file.ts';
import { model, objectMeta, type } from '../model-fixture.ts';

const newFile = (): GeneratedFile => new GeneratedFile(model, 'example.com/v1', { header: '// header\n\n', runtime: '../../../runtime' });

/** Returns the import statements of a file. */
const importsOf = (file: GeneratedFile): string[] =>
  file
    .print()
    .split('\n')
    .filter((line) => line.startsWith('import '));

describe('imports', () => {
  test('names of one file are in one statement, sorted, types marked', () => {
    const file = newFile();
    file.runtime('machinery/prune/values.ts', 'string');
    file.runtime('machinery/prune/values.ts', 'int32');
    expect(file.runtime('machinery/prune/context.ts', 'type PruneContext')).toBe('PruneContext');
    file.runtime('machinery/resource.ts', 'typeDefinition');
    file.runtime('machinery/resource.ts', 'type TypeDefinition');
    expect(importsOf(file)).toEqual([
      "import type { PruneContext } from '../../../runtime/machinery/prune/context.ts';",
      "import { int32, string } from '../../../runtime/machinery/prune/values.ts';",
      "import { type TypeDefinition, typeDefinition } from '../../../runtime/machinery/resource.ts';",
    ]);
  });

  test('a package imports JavaScript', () => {
    const file = new GeneratedFile(model, 'example.com/v1', { header: '', runtime: 'kubeloom/runtime' });
    file.runtime('machinery/object.ts', 'type Json');
    expect(importsOf(file)).toEqual(["import type { Json } from 'kubeloom/runtime/machinery/object.js';"]);
  });

  test('functions and types of other group-versions are reached through namespaces', () => {
    const file = newFile();
    expect(file.generated(objectMeta, 'prune.ts', 'pruneObjectMeta')).toBe('metav1.pruneObjectMeta');
    expect(file.generated(type('example.com/v1', 'Own', []), 'prune.ts', 'pruneOwn')).toBe('pruneOwn');
    expect(importsOf(file)).toEqual(["import * as metav1 from '../../meta/v1/prune.ts';"]);
    const client = newFile();
    expect(client.type(objectMeta)).toBe('metav1.ObjectMeta');
    expect(client.type(type('example.com/v1', 'Own', []))).toBe('types.Own');
    expect(importsOf(client)).toEqual([
      "import type * as metav1 from '../../meta/v1/types.ts';",
      "import type * as types from './types.ts';",
    ]);
  });

  test('functions that overlays name get another name if there is a generated function of that name', () => {
    const file = newFile();
    expect(file.overlayFunction('defaults', 'setB')).toBe('setB');
    expect(file.overlayFunction('defaults', 'setDefaultsWidget')).toBe('setDefaultsWidgetByName');
    expect(importsOf(file)).toEqual([expect.stringContaining('import { setB, setDefaultsWidget as setDefaultsWidgetByName } from')]);
  });
});

test('a file without statements is still a module', () => {
  expect(newFile().print()).toBe('// header\n\nexport {};\n');
});
