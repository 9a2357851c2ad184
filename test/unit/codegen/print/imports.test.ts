import { describe, expect, test } from '@jest/globals';
import { goTypeName, lowerFirst } from '../../../../codegen/model/names.ts';
import { Imports } from '../../../../codegen/print/imports.ts';
import { member, variableName } from '../../../../codegen/print/names.ts';
import { field, model, objectMeta, scalar, type } from '../emit-fixture.ts';

const imports = (): Imports => new Imports(model, 'example.com/v1', '../../../runtime');

describe('imports', () => {
  test('names of one file stand on one line, sorted, types marked', () => {
    const used = imports();
    used.use('string');
    used.use('int32');
    used.use('PruneContext');
    expect(String(used)).toBe(
      "import { int32, string } from '../../../runtime/machinery/prune/values.ts';\n" +
        "import type { PruneContext } from '../../../runtime/machinery/prune/context.ts';\n",
    );
  });

  test('functions of other group-versions are reached through their namespace', () => {
    const used = imports();
    expect(used.generated(objectMeta, 'prune.ts', 'pruneObjectMeta')).toBe('metav1.pruneObjectMeta');
    expect(used.generated(type('example.com/v1', 'Own', []), 'prune.ts', 'pruneOwn')).toBe('pruneOwn');
    expect(String(used)).toBe("import * as metav1 from '../../meta/v1/prune.ts';\n");
  });

  test('functions that overlays name come from where overlays are served', () => {
    const used = imports();
    used.named('defaults', 'setB');
    used.named('defaults', 'setA');
    expect(String(used)).toBe("import { setA, setB } from '../../../runtime/kinds/overlays/defaults.ts';\n");
  });
});

describe('names', () => {
  test.each([
    ['name', 'name'],
    ['default', 'defaultField'],
    ['reader', 'readerField'],
    ['x-kubernetes-map-type', 'xKubernetesMapType'],
    ['$ref', '$ref'],
    ['0day', 'field0day'],
    ['readBytes', 'readBytesField'],
  ])('the variable of %s is %s', (given, want) => {
    expect(variableName(given)).toBe(want);
  });

  test.each([
    ['name', 'object.name'],
    ['x-a', "object['x-a']"],
    ['__proto__', "object['__proto__']"],
  ])('the member %s is %s', (given, want) => {
    expect(member('object', given)).toBe(want);
  });

  test.each([
    ['PodSpec', 'podSpec'],
    ['APIGroup', 'apiGroup'],
    ['CSI', 'csi'],
  ])('%s begins small as %s', (given, want) => {
    expect(lowerFirst(given)).toBe(want);
  });

  test('errors name a type by the last part of its package', () => {
    const spec = type('example.com/v1', 'Spec', [field('a', scalar('string'))], { goPackage: 'k8s.io/api/core/v2' });
    expect(goTypeName(spec)).toBe('v2.Spec');
  });
});
