import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkConversions } from '../../runtime/index.ts';
import type { AnyConverter, ApiGroup } from '../../runtime/machinery/api-group.ts';
import { type WidgetGroup, widgetConverter, widgetGroup } from '../support/widget-group.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all versions
type Any = any;

const seed = 1;
const v1beta1 = widgetConverter('v1beta1', 'v1');
const v1alpha1 = widgetConverter('v1alpha1', 'v1');

/** Changes the result of one direction. */
const to = (change: (object: Any) => Any): AnyConverter => ({
  ...v1beta1,
  toStorage: (object) => change(v1beta1.toStorage(object)),
});
const from = (change: (object: Any) => Any): AnyConverter => ({
  ...v1beta1,
  fromStorage: (object) => change(v1beta1.fromStorage(object)),
});

describe('checkConversions', () => {
  let group: WidgetGroup;
  const with1 = (converter: AnyConverter): ApiGroup => group.with({ v1beta1: converter, v1alpha1 });

  beforeAll(async () => {
    group = await widgetGroup('v1');
  });
  afterAll(() => group?.remove());

  test('accepts converters that lose nothing, and says its seed', async () => {
    expect(await checkConversions(with1(v1beta1), { seed })).toEqual({ seed });
  });

  test.each<[string, AnyConverter, string, string]>([
    [
      'drops a field on the way to the stored version',
      to(({ spec: { replicas: _, ...spec }, ...rest }) => ({ ...rest, spec })),
      'v1beta1 -> v1 -> v1beta1\n    -.spec.count: ',
      '"count":',
    ],
    [
      'drops a field on the way back',
      from(({ spec: { count: _, ...spec }, ...rest }) => ({ ...rest, spec })),
      'v1 -> v1beta1 -> v1\n    -.spec.replicas: ',
      '"replicas":',
    ],
    [
      'changes a value',
      to(({ spec, ...rest }) => ({ ...rest, spec: { ...spec, width: spec.width && Math.min(spec.width, 50) } })),
      '.spec.size: "',
      '{"spec":{"size":"',
    ],
    ['loses the status', from(({ status: _, ...rest }) => rest), 'v1 -> v1beta1 -> v1\n    -.status: {}', '"status":{}}'],
    [
      'drops annotations',
      from(({ metadata: { annotations: _, ...metadata }, ...rest }) => ({ ...rest, metadata })),
      '-.metadata.annotations: {"example.com/note":"a"}',
      'of {"spec":{',
    ],
    [
      'cannot convert parts of objects',
      {
        ...v1beta1,
        fromStorage: (object: Any) => (object.spec.width < 0 ? object : v1beta1.fromStorage(object)),
      } as AnyConverter,
      "v1 -> v1beta1 -> v1, of parts of objects\n    Internal error occurred: conversion of shop.example.com/v1, Kind=Widget to shop.example.com/v1beta1 failed: Cannot read properties of undefined (reading 'width')",
      'of {}',
    ],
    [
      'throws',
      from(() => {
        throw new Error('a bug');
      }),
      'conversion of shop.example.com/v1, Kind=Widget to shop.example.com/v1beta1 failed: a bug',
      'of {"spec":{',
    ],
  ])('finds a converter that %s', async (_what, converter, fault, object) => {
    const message = await checkConversions(with1(converter), { seed }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain('widgets.shop.example.com: objects are not the same after they were converted there and back (seed: 1)');
    expect(message).toContain(fault);
    expect(message).toContain(object);
    // the same seed has the same result
    await expect(checkConversions(with1(converter), { seed })).rejects.toThrow(message);
  });

  test.each([
    [{ sede: 1 }, 'unknown option "sede": did you mean "seed"?'],
    [{ runs: 'many' }, 'option "runs": "many" is not'],
  ])('refuses options as %j', async (options, message) => {
    await expect(checkConversions(with1(v1beta1), options as object)).rejects.toThrow(message);
  });
});
