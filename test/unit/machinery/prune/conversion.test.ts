import { describe, expect, test } from '@jest/globals';
import { Float64 } from '../../../../runtime/machinery/json/float64.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import { intOrString, time } from '../../../../runtime/machinery/prune/special-types.ts';
import { bool, bytes, double, int32, int64, string, uint32 } from '../../../../runtime/machinery/prune/values.ts';

const converter = (): PruneContext => new PruneContext({ converts: true });

describe('a value of another type is refused in the words of the converter', () => {
  const values: [string, unknown, string][] = [
    ['a text', 'x', 'string'],
    ['a boolean', true, 'bool'],
    ['an integer', 7, 'int64'],
    ['a large integer', 2n ** 60n, 'int64'],
    ['a float', 1.5, 'float64'],
    ['a float without a fraction', new Float64('7.0'), 'float64'],
    ['a list', [], 'slice'],
    ['an object', {}, 'map'],
  ];

  test.each(values)('%s', (_, value, kind) => {
    const refused = (read: (context: PruneContext) => unknown, message: string): void =>
      expect(() => read(converter())).toThrow(new Error(message));
    if (kind !== 'map') {
      refused((context) => context.map(value, 'f', 'map[string]string', string), `cannot restore map from ${kind}`);
      refused((context) => context.enter(value, 'f', 'v1.PodSpec'), `cannot restore struct from: ${kind}`);
    }
    if (kind !== 'slice') {
      refused((context) => context.list(value, 'f', '[]string', string), `cannot restore slice from ${kind}`);
    }
    if (kind !== 'slice' && kind !== 'string') {
      refused((context) => bytes(value, context, 'f'), `cannot restore slice from ${kind}`);
    }
    if (kind !== 'bool') refused((context) => bool(value, context, 'f'), 'unrecognized type: bool');
    if (kind !== 'string') {
      const message = kind === 'int64' ? 'cannot convert int64 to v1.Protocol' : 'unrecognized type: string';
      refused((context) => string(value, context, 'f', 'v1.Protocol'), message);
    }
    if (kind !== 'int64' && kind !== 'float64') {
      refused((context) => int32(value, context, 'f'), 'unrecognized type: int32');
      refused((context) => double(value, context, 'f'), 'unrecognized type: float64');
    }
  });

  test('bytes that are no base64', () => {
    const message = 'error decoding from json: illegal base64 data at input byte 0';
    expect(() => bytes('!', converter(), 'f')).toThrow(new Error(message));
  });

  test('a fraction for an integer', () => {
    expect(() => int32(1.5, converter(), 'f')).toThrow(new Error('cannot convert float64 to int32'));
  });
});

test.each<[string, unknown, unknown]>([
  ['a float without a fraction', int32(new Float64('7.0'), converter(), 'f'), 7],
  ['more than 32 bits', int32(2 ** 32 + 1, converter(), 'f'), 1],
  ['a negative number without a sign', uint32(-1, converter(), 'f'), 2 ** 32 - 1],
  ['a float beyond int64', int64(new Float64('1e20'), converter(), 'f'), -(2n ** 63n)],
  ['an integer for a float', double(7, converter(), 'f'), 7],
])('%s is converted as in Go', (_, given, want) => {
  expect(given).toBe(want);
});

test.each<[string, (context: PruneContext) => unknown, string]>([
  ['a time', (context) => time(1, context, 'f'), 'json: cannot unmarshal number into Go value of type string'],
  ['a port', (context) => intOrString({}, context, 'f'), 'json: cannot unmarshal object into Go value of type int32'],
])('%s decodes itself from JSON', (_, read, message) => {
  const context = converter();
  context.enter({}, '', 'v1.Pod');
  expect(() => read(context)).toThrow(new Error(message));
});
