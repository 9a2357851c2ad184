import { describe, expect, test } from '@jest/globals';
import { decodeJson } from '../../../runtime/codec/json.ts';
import { decodeYaml } from '../../../runtime/codec/yaml.ts';
import { isDecodeError } from '../../../runtime/machinery/errors/decode-error.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import { bytes } from './yaml-facts/bytes.ts';
import { errors } from './yaml-facts/errors.ts';
import type { Fact } from './yaml-facts/fact.ts';
import { values } from './yaml-facts/values.ts';

interface Answer {
  readonly value?: Json;
  readonly error?: string;
  readonly repeated?: readonly string[];
}

function answer(yaml: Buffer): Answer {
  const repeated: string[] = [];
  try {
    return { value: decodeYaml(yaml, { duplicates: repeated }), repeated };
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return { error: error.message };
  }
}

function wanted([, result, repeated]: Fact): Answer {
  if (typeof result !== 'string') return result;
  return { value: decodeJson(Buffer.from(result)), repeated: repeated === undefined ? [] : [repeated] };
}

describe.each(Object.entries({ ...values, ...errors }))('%s are decoded as in Go', (_theme, facts) => {
  test.each(facts.map((fact) => [fact[0], fact] as const))('%j', (yaml, fact) => {
    expect(answer(Buffer.from(yaml))).toEqual(wanted(fact));
  });
});

describe('bytes are decoded as in Go', () => {
  test.each(bytes.map((fact) => [fact[0], fact] as const))('%j', (yaml, fact) => {
    expect(answer(Buffer.from(yaml, 'latin1'))).toEqual(wanted(fact));
  });
});
