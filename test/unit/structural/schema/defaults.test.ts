import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import type { TestObject } from '../../../support/test-object.ts';

const text = (value: string): JsonSchema => ({ type: 'string', default: value });
const whole = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x', unknown: 'u' } };
const embedded = (rest: JsonSchema): JsonSchema => ({ type: 'object', 'x-kubernetes-embedded-resource': true, ...rest });

describe('defaults of embedded resources have only the metadata of ObjectMeta', () => {
  test.each<{ of: string; schema: JsonSchema; given: object; want: object }>([
    {
      of: 'fields',
      schema: embedded({ properties: { metadata: { type: 'object', properties: { name: text('x'), unknown: text('u') } } } }),
      given: { metadata: {} },
      want: { metadata: { name: 'x' } },
    },
    {
      of: 'labels',
      schema: embedded({
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object', properties: { a: text('b') } } } } },
      }),
      given: { metadata: { labels: {} } },
      want: { metadata: { labels: { a: 'b' } } },
    },
    {
      of: 'the metadata',
      schema: embedded({ properties: { metadata: { type: 'object', default: whole.metadata } } }),
      given: {},
      want: { metadata: { name: 'x' } },
    },
    {
      of: 'the resource',
      schema: embedded({ default: whole }),
      given: undefined as never,
      want: { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x' } },
    },
    {
      of: 'an object around the resource',
      schema: { type: 'object', default: { inner: whole }, properties: { inner: embedded({}) } },
      given: undefined as never,
      want: { inner: { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x' } } },
    },
    {
      of: 'metadata of an object that is no resource',
      schema: { type: 'object', properties: { metadata: { type: 'object', properties: { unknown: text('u') } } } },
      given: { metadata: {} },
      want: { metadata: { unknown: 'u' } },
    },
  ])('of $of', ({ schema, given, want }) => {
    const object = { metadata: {}, spec: given } as unknown as TestObject;
    if (given === undefined) delete (object as { spec?: unknown }).spec;
    compileSchema({ type: 'object', properties: { spec: schema } }).setDefaults(object);
    expect(object.spec).toEqual(want);
  });
});
