import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { explain } from '../../../../runtime/structural/schema/explain.ts';
import { isValid } from '../../../../runtime/structural/schema/is-valid.ts';
import { schemaNode } from '../../../../runtime/structural/schema/nodes.ts';
import { Random } from '../../../support/random.ts';

const scalars: Json[] = [null, true, 0, 1, 3, 2.5, -1, 9007199254740993n, '', 'a', 'abc', '2020-01-01'];
const names = ['a', 'b', 'constructor'];

class Maker {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  value(depth: number): Json {
    if (depth === 0 || this.#random.chance(0.4)) return this.#random.pick(scalars);
    const size = this.#random.between(0, 3);
    if (this.#random.chance(0.5)) return Array.from({ length: size }, () => this.value(depth - 1));
    const object: JsonObject = {};
    for (let at = 0; at < size; at++) object[this.#random.pick(names)] = this.value(depth - 1);
    return object;
  }

  #maybe<T>(probability: number, make: () => T): T | undefined {
    return this.#random.chance(probability) ? make() : undefined;
  }

  schema(depth: number): JsonSchema {
    const random = this.#random;
    const list = (): JsonSchema[] => Array.from({ length: random.between(1, 2) }, () => this.schema(depth - 1));
    const deeper = depth > 0;
    const schema = {
      type: this.#maybe(0.6, () => random.pick(['string', 'integer', 'number', 'boolean', 'array', 'object'])),
      'x-kubernetes-int-or-string': this.#maybe(0.1, () => true),
      nullable: this.#maybe(0.3, () => true),
      format: this.#maybe(0.1, () => random.pick(['date', 'telephone'])),
      enum: this.#maybe(0.15, () => [random.pick(scalars), random.pick(scalars)]),
      maximum: this.#maybe(0.15, () => random.pick([1, 2.5, 9007199254740993n])),
      exclusiveMinimum: this.#maybe(0.2, () => true),
      minimum: this.#maybe(0.15, () => random.pick([0, 1, 0.5])),
      multipleOf: this.#maybe(0.1, () => random.pick([2, 0.5, 1.5])),
      maxLength: this.#maybe(0.15, () => 2),
      minLength: this.#maybe(0.15, () => 1),
      pattern: this.#maybe(0.1, () => '^a'),
      maxItems: this.#maybe(0.1, () => 1),
      minItems: this.#maybe(0.1, () => 1),
      uniqueItems: this.#maybe(0.1, () => true),
      maxProperties: this.#maybe(0.1, () => 1),
      minProperties: this.#maybe(0.1, () => 1),
      required: this.#maybe(0.2, () => [random.pick(names)]),
      items: deeper ? this.#maybe(0.4, () => this.schema(depth - 1)) : undefined,
      properties: deeper ? this.#maybe(0.4, () => ({ a: this.schema(depth - 1), constructor: this.schema(0) })) : undefined,
      additionalProperties: deeper ? this.#maybe(0.3, () => (random.chance(0.3) ? random.chance(0.5) : this.schema(depth - 1))) : undefined,
      allOf: deeper ? this.#maybe(0.15, list) : undefined,
      anyOf: deeper ? this.#maybe(0.15, list) : undefined,
      oneOf: deeper ? this.#maybe(0.15, list) : undefined,
      not: deeper ? this.#maybe(0.1, () => this.schema(depth - 1)) : undefined,
    };
    return schema as unknown as JsonSchema;
  }
}

test('rejected values are explained, and no others', () => {
  let good = 0;
  let bad = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const maker = new Maker(seed);
    const node = schemaNode(maker.schema(3));
    for (let round = 0; round < 4; round++) {
      const value = maker.value(3);
      const valid = isValid(node, value);
      if ((explain(node, value, 'x').problems.length === 0) !== valid) throw new Error(`seed ${seed}, round ${round}`);
      if (valid) good++;
      else bad++;
    }
  }
  expect(Math.min(good, bad)).toBeGreaterThan(1_000);
});
