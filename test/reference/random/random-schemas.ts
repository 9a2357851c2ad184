import type { Random } from '../../support/random.ts';
import type { TestValue } from '../../support/test-object.ts';

/** The schema of a value in a definition, as `{ type: 'string', maxLength: 5 }`. */
export type Schema = Readonly<Record<string, TestValue>>;

interface Rule {
  readonly rule: string;
  readonly [member: string]: TestValue;
}

const formats = ['date-time', 'date', 'byte', 'duration', 'email', 'uuid', 'ipv4', 'cidr', 'uri', 'hostname', 'mac', 'odd', 'password'];
const texts = ['', 'a', 'b', 'abc', 'Abc-1', 'x'.repeat(12), '2024-01-01T00:00:00Z', '1h', 'YQ==', '10.0.0.1', 'é'];
const patterns = ['^[a-z]*$', '^a', '[0-9]+', '^(a|b|abc)$'];
const numbers = [0, 1, 2, 5, 10, -1, 100, 2 ** 31, 2 ** 53, 1.5, 0.1, -0.5];

/** Rules of CEL by the type of `self`. `{f}` is a member. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  string: [
    { rule: 'self.size() < 4' },
    { rule: "self != 'b'", message: 'must not be b' },
    { rule: "self.startsWith('a') || self == ''", messageExpression: "'it is ' + self" },
    { rule: 'self == oldSelf', message: 'is immutable', reason: 'FieldValueForbidden' },
    { rule: "!oldSelf.hasValue() || self != ''", optionalOldSelf: true },
    { rule: "self.matches('^[a-z]+$')", reason: 'FieldValueRequired', message: 'letters' },
    { rule: "self.lowerAscii() == self && self.split('-').size() < 3" },
    { rule: "quantity('1Ki').isGreaterThan(quantity('1')) && self.size() < 20" },
    { rule: 'isQuantity(self) || self.size() < 5', messageExpression: "1 > 0 ? '' : self" },
    { rule: 'self.size() <' },
    { rule: 'self.foo > 1' },
  ],
  integer: [
    { rule: 'self < 10' },
    { rule: 'self >= oldSelf', message: 'must not become less' },
    { rule: 'self % 2 == 0', messageExpression: "'%d is odd'.format([self])" },
    { rule: '10 / self > 0' },
    { rule: 'self > 0 ? true : self == 0', message: 'x\ny' },
    { rule: "self < 'a'" },
  ],
  number: [{ rule: 'self < 10.5' }, { rule: 'self >= 0.0', message: 'must not be negative' }, { rule: 'double(int(self)) == self' }],
  boolean: [{ rule: 'self' }, { rule: 'self || !oldSelf' }],
  array: [
    { rule: 'self.size() <= 3' },
    { rule: 'self.all(item, self.exists_one(other, other == item))', message: 'no two items are the same' },
    { rule: 'oldSelf.all(item, item in self)' },
    { rule: 'self.exists(item, true) || self == []' },
  ],
  object: [
    { rule: 'true' },
    { rule: 'has(self.{f})', message: 'needs it', fieldPath: '.{f}' },
    { rule: '!has(self.{f}) || !has(self.{g})', fieldPath: '.{g}', reason: 'FieldValueDuplicate' },
    { rule: 'has(self.{f}) == has(oldSelf.{f})', message: 'cannot come or go' },
    { rule: 'self == oldSelf', message: 'is immutable' },
    { rule: 'has(self.{f}) ? self.{f} == self.{f} : false', messageExpression: "'no {f}'" },
    { rule: 'self.{f}.size() > 1' },
    { rule: 'has(self.nope)' },
  ],
  map: [
    { rule: 'self.size() < 3' },
    { rule: "self.all(key, key.startsWith('a') || key.size() < 3)" },
    { rule: "!('b' in self)", message: 'no b' },
  ],
};

export const memberNames = ['a', 'b', 'name', 'size', 'items', 'color', 'replicas', 'type', 'odd-name', 'default', 'x_y', 'namespace'];

/** Makes structural schemas, of which a few are wrong, and values of which most fit. */
export class RandomSchemas {
  readonly #random: Random;
  /** How often a schema has a keyword that does not belong there. */
  readonly #mistakes: number;

  constructor(random: Random, mistakes = 0.004) {
    this.#random = random;
    this.#mistakes = mistakes;
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #chance(probability: number): boolean {
    return this.#random.chance(probability);
  }

  schema(depth: number): Schema {
    const kinds = [
      'string',
      'string',
      'integer',
      'number',
      'boolean',
      'intOrString',
      ...(depth > 0 ? ['object', 'object', 'map', 'array', 'array', 'any', 'embedded'] : []),
    ];
    const kind = this.#pick(kinds);
    const made = this.#ofKind(kind, depth);
    const schema: Record<string, TestValue> = { ...made };
    if (this.#chance(0.12)) schema.nullable = true;
    if (this.#chance(0.1)) schema.description = `about ${kind}`;
    if (this.#chance(0.05)) schema.title = 't';
    if (this.#chance(0.03)) schema.example = this.value(made, 0);
    if (kind in rules && this.#chance(0.22)) schema['x-kubernetes-validations'] = this.#rules(kind, schema);
    if (this.#chance(0.2) && kind !== 'embedded') schema.default = this.value(schema, 0.03);
    if (this.#chance(0.06)) schema[this.#pick(['allOf', 'anyOf', 'oneOf'])] = this.#logic(kind);
    if (this.#chance(0.03)) schema.not = this.#logic(kind)[0];
    if (this.#chance(this.#mistakes)) Object.assign(schema, this.#pick(mistakes));
    return schema;
  }

  /** The schema of an object with these members besides random ones. */
  object(depth: number, members: Readonly<Record<string, Schema>> = {}): Schema {
    const names = Array.from({ length: this.#random.between(1, 4) }, () => this.#pick(memberNames));
    const properties: Record<string, TestValue> = Object.fromEntries(names.map((name) => [name, this.schema(depth - 1)]));
    Object.assign(properties, members);
    const required = Object.keys(properties).filter((name) => !(name in members) && this.#chance(0.15));
    return {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(this.#chance(0.1) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      ...(this.#chance(0.05) ? { maxProperties: 4 } : {}),
      ...(this.#chance(0.04) ? { minProperties: 1 } : {}),
      ...(this.#chance(0.06) ? { 'x-kubernetes-map-type': this.#pick(['atomic', 'granular']) } : {}),
    };
  }

  #ofKind(kind: string, depth: number): Schema {
    const { between } = { between: (from: number, to: number) => this.#random.between(from, to) };
    switch (kind) {
      case 'string':
        return {
          type: 'string',
          maxLength: this.#pick([4, 10, 40]),
          ...(this.#chance(0.15) ? { minLength: between(0, 2) } : {}),
          ...(this.#chance(0.15) ? { pattern: this.#pick(patterns) } : {}),
          ...(this.#chance(0.15) ? { format: this.#pick(formats) } : {}),
          ...(this.#chance(0.15) ? { enum: ['a', 'b', ...(this.#chance(0.5) ? [''] : [])] } : {}),
        };
      case 'integer':
      case 'number':
        return {
          type: kind,
          ...(this.#chance(0.25) ? { minimum: this.#pick([0, -1, 1]), ...(this.#chance(0.3) ? { exclusiveMinimum: true } : {}) } : {}),
          ...(this.#chance(0.25) ? { maximum: this.#pick([5, 100]), ...(this.#chance(0.3) ? { exclusiveMaximum: true } : {}) } : {}),
          ...(this.#chance(0.15) ? { multipleOf: this.#pick(kind === 'number' ? [0.1, 0.5, 2] : [1, 2]) } : {}),
          ...(this.#chance(0.2) ? { format: this.#pick(kind === 'number' ? ['float', 'double'] : ['int32', 'int64', 'odd']) } : {}),
          ...(this.#chance(0.1) ? { enum: [0, 1, 5] } : {}),
        };
      case 'intOrString':
        return {
          'x-kubernetes-int-or-string': true,
          ...(this.#chance(0.4) ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
          ...(this.#chance(0.2) ? { pattern: '^[0-9]+%?$' } : {}),
          ...(this.#chance(0.2) ? { maxLength: 3 } : {}),
        };
      case 'object':
        return this.object(depth);
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#chance(0.1) ? true : this.schema(depth - 1),
          ...(this.#chance(0.6) ? { maxProperties: 3 } : {}),
        };
      case 'array':
        return this.#array(depth);
      case 'any':
        return { 'x-kubernetes-preserve-unknown-fields': true, ...(this.#chance(0.5) ? { type: 'object' } : {}) };
      case 'embedded':
        return {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          ...(this.#chance(0.6)
            ? { 'x-kubernetes-preserve-unknown-fields': true }
            : { properties: { spec: this.object(0), ...(this.#chance(0.3) ? { metadata: { type: 'object' } } : {}) } }),
        };
      default:
        return { type: 'boolean' };
    }
  }

  #array(depth: number): Schema {
    const limits = { ...(this.#chance(0.7) ? { maxItems: 4 } : {}), ...(this.#chance(0.1) ? { minItems: 1 } : {}) };
    const type = this.#pick([undefined, undefined, 'atomic', 'set', 'map']);
    if (type === 'map') {
      const items = this.object(0, {
        key: { type: 'string', maxLength: 5, ...(this.#chance(0.2) ? { default: 'k' } : {}) },
        port: { type: 'integer', ...(this.#chance(0.3) ? { default: 1 } : {}) },
      });
      const keys = this.#pick([['key'], ['key', 'port'], ['port']]);
      const needed = keys.filter((key) => items.properties[key].default === undefined);
      const required = [...new Set([...(items.required ?? []), ...needed])];
      return {
        type: 'array',
        items: { ...items, ...(required.length > 0 ? { required } : {}) },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': keys,
        ...limits,
      };
    }
    if (type === 'set')
      return {
        type: 'array',
        items: { type: this.#pick(['string', 'integer', 'boolean', 'number']) },
        'x-kubernetes-list-type': 'set',
        ...limits,
      };
    return { type: 'array', items: this.schema(depth - 1), ...(type === undefined ? {} : { 'x-kubernetes-list-type': type }), ...limits };
  }

  #rules(kind: string, schema: Schema): readonly Rule[] {
    const names = Object.keys(schema.properties ?? {}).filter((name) => /^[a-z]+$/.test(name));
    const [f = 'a', g = 'b'] = [this.#pick(names.length > 0 ? names : ['a']), this.#pick(names.length > 0 ? names : ['b'])];
    const known = rules[kind];
    // the last of each list do not compile
    const usable = this.#chance(0.03) ? known : known.slice(0, kind === 'string' || kind === 'object' ? -2 : undefined);
    const wanted = Array.from({ length: this.#random.between(1, 2) }, () => this.#pick(usable));
    const fill = (value: TestValue): TestValue =>
      typeof value === 'string'
        ? value.replaceAll('{f}', f).replaceAll('{g}', g).replaceAll('self.namespace', 'self.__namespace__')
        : value;
    return wanted.map((rule) => Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, fill(value)])) as unknown as Rule);
  }

  #logic(kind: string): Schema[] {
    const parts: Readonly<Record<string, readonly Schema[]>> = {
      string: [{ minLength: 1 }, { pattern: '^a' }, { enum: ['a', 'b'] }, { maxLength: 2 }],
      integer: [{ minimum: 1 }, { maximum: 5 }, { multipleOf: 2 }, { enum: [0, 1] }],
      number: [{ minimum: 1 }, { maximum: 5 }],
      object: [{ required: ['a'] }, { required: ['b'] }, { minProperties: 1 }, { properties: { a: { minLength: 2 } } }],
      array: [{ minItems: 1 }, { maxItems: 2 }],
    };
    const known = parts[kind] ?? [{ not: { enum: [null] } }, { enum: [true, 1, 'a'] }];
    return Array.from({ length: this.#random.between(1, 2) }, () => this.#pick(known));
  }

  /** @param wrong how often a value does not fit */
  value(schema: Schema, wrong: number): TestValue {
    if (this.#chance(wrong)) return this.#pick([null, 1, 'x', true, [], {}, ['a'], { a: 1 }, 1.5, -1, '', { a: { b: [] } }]);
    if (schema.nullable && this.#chance(0.2)) return null;
    if (Array.isArray(schema.enum) && this.#chance(0.9)) return this.#pick(schema.enum);
    if (schema['x-kubernetes-int-or-string']) return this.#pick([1, 50, '10', '50%', 'abc', 2 ** 40]);
    switch (schema.type) {
      case 'string':
        return schema.format !== undefined && this.#chance(0.6)
          ? this.#formatted(schema.format)
          : this.#pick(texts.filter((text) => text.length <= (schema.maxLength ?? 99) || this.#chance(0.1)));
      case 'integer':
        return this.#pick(numbers.filter((number) => Number.isInteger(number)));
      case 'number':
        return this.#pick(numbers);
      case 'boolean':
        return this.#chance(0.5);
      case 'array':
        return this.#items(schema, wrong);
      case 'object':
        return this.#members(schema, wrong);
      default:
        return this.#pick([1, 'a', { a: 1 }, [1, 'b'], { b: { c: null } }, true]);
    }
  }

  #formatted(format: string): string {
    const good: Readonly<Record<string, readonly string[]>> = {
      'date-time': ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.123456789+02:00', '2024-01-01'],
      date: ['2024-02-29', '2023-02-29'],
      byte: ['YQ==', 'YQ'],
      duration: ['1h5m', '3 days', '1y'],
      email: ['a@b.cd', 'a'],
      uuid: ['123e4567-e89b-12d3-a456-426614174000', '1'],
      ipv4: ['10.0.0.1', '::1'],
      cidr: ['10.0.0.0/8', '10.0.0.1'],
      uri: ['http://a.b/c', 'a b'],
    };
    return this.#pick(good[format] ?? texts);
  }

  #items(schema: Schema, wrong: number): TestValue[] {
    const items = Array.from({ length: this.#pick([0, 1, 2, 2, 3, 5]) }, () => this.value(schema.items, wrong));
    const keys: readonly string[] | undefined = schema['x-kubernetes-list-map-keys'];
    if (schema['x-kubernetes-list-type'] === 'set' && !this.#chance(0.15)) return [...new Set(items)];
    if (keys === undefined || this.#chance(0.1)) return items;
    return items.map((item, index) =>
      typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item, key: `k${index}`, port: index } : item,
    );
  }

  #members(schema: Schema, wrong: number): TestValue {
    const members: Record<string, TestValue> = {};
    if (schema['x-kubernetes-embedded-resource'])
      Object.assign(
        members,
        this.#pick([
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
          { apiVersion: 'apps/v1', kind: 'Odd', metadata: { labels: { a: 'b' }, odd: 1 } },
          { kind: 'Pod' },
          {},
        ]),
      );
    for (const [name, inner] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)) {
      if (name === 'metadata') continue;
      const isNeeded = schema.required?.includes(name) && !this.#chance(0.05);
      if (isNeeded || this.#chance(0.6)) members[name] = this.value(inner, wrong);
    }
    const { additionalProperties: more } = schema;
    const free =
      more === true || schema['x-kubernetes-preserve-unknown-fields'] ? { type: this.#pick(['string', 'integer', undefined]) } : more;
    const isOpen = typeof free === 'object' && free !== null;
    for (let at = this.#random.between(0, isOpen ? 3 : 0); at > 0; at--)
      members[this.#pick(['a', 'b', 'abc', 'a.b/c', 'Odd'])] ??= this.value(free, wrong);
    if (!isOpen && this.#chance(wrong * 2)) members.unknown = this.#pick([1, { a: 'b' }, null]);
    return members;
  }
}

/** Members that make a schema wrong, or that only some schemas may have. */
const mistakes: readonly Schema[] = [
  { type: 'odd' },
  { $ref: '#/definitions/a' },
  { uniqueItems: true },
  { additionalProperties: false },
  { 'x-kubernetes-list-type': 'set' },
  { 'x-kubernetes-list-map-keys': ['a'] },
  { pattern: '(' },
  { properties: { a: {} } },
  { required: ['nope'] },
  { 'x-kubernetes-preserve-unknown-fields': false },
  { 'x-kubernetes-int-or-string': true },
  { default: { odd: 1 } },
  { nullable: true, enum: ['a', null] },
  { format: 'int32' },
  { minLength: -1 },
  { multipleOf: 0 },
  { 'x-kubernetes-map-type': 'odd' },
  { definitions: { a: {} } },
  { externalDocs: { url: 'http://a.b' } },
  { patternProperties: { a: {} } },
  { dependencies: { a: ['b'] } },
  { items: [{ type: 'string' }] },
  { id: 'x' },
  { $schema: 'http://json-schema.org/schema#' },
];
