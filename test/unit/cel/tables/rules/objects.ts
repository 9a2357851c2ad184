import type { RuleCase } from './rule-case.ts';

export const objectCases: readonly RuleCase[] = [
  {
    name: 'objects',
    schema: {
      type: 'object',
      properties: {
        objs: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: { type: 'object', properties: { f1: { type: 'string' }, f2: { type: 'string' } } },
        },
      },
    },
    object: {
      objs: [
        { f1: 'a', f2: 'b' },
        { f1: 'a', f2: 'b' },
      ],
    },
    hold: ['self.objs[0] == self.objs[1]'],
    fail: {
      "self.objs[0] == {'f1': 'a', 'f2': 'b'}": "found no matching overload for '_==_'",
    },
  },
  {
    name: 'object access',
    schema: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: { b: { type: 'integer' }, c: { type: 'integer' }, d: { type: 'integer', nullable: true } },
        },
        a1: {
          type: 'object',
          properties: {
            b1: { type: 'object', properties: { c1: { type: 'integer' } } },
            d2: { type: 'object', properties: { e2: { type: 'integer' } } },
          },
        },
      },
    },
    object: { a: { b: 1, d: null }, a1: { b1: { c1: 4 } }, a3: {} },
    hold: [
      'has(self.a.b)',
      '!has(self.a.c)',
      '!has(self.a.d)',
      'has(self.a1.b1.c1)',
      '!(has(self.a1.d2) && has(self.a1.d2.e2))',
      '!has(self.a1.d2)',
    ],
    fail: {
      'has(self.a.z)': "undefined field 'z'",
      "self.a['b'] == 1": "no matching overload for '_[_]'",
      'has(self.a1.d2.e2)': 'no such key: d2',
    },
  },
  {
    name: 'map access',
    schema: { type: 'object', properties: { val: { type: 'object', additionalProperties: { type: 'integer' } } } },
    object: { val: { b: 1, d: 2 } },
    hold: [
      "!('a' in self.val)",
      "'b' in self.val",
      "!('c' in self.val)",
      "'d' in self.val",
      '!has(self.val.a)',
      'has(self.val.b)',
      '!has(self.val.c)',
      'has(self.val.d)',
      'self.val.all(k, self.val[k] > 0)',
      'self.val.exists(k, self.val[k] > 1)',
      'self.val.exists_one(k, self.val[k] == 2)',
      '!self.val.exists(k, self.val[k] > 2)',
      '!self.val.exists_one(k, self.val[k] > 0)',
      'size(self.val) == 2',
      'self.val.map(k, self.val[k]).exists(v, v == 1)',
      'size(self.val.filter(k, self.val[k] > 1)) == 1',
      'self.val.all(k, v, v > 0)',
      'self.val.exists(k, v, v == 2)',
      'self.val.existsOne(k, v, v == 2)',
      'self.val.transformMap(k, v, v > 1, v + 1).size() == 1',
      'self.val.transformMap(k, v, v + 1).size() == 2',
      "self.val.transformMapEntry(k, v, v > 1, {k + '2': v + 1}).size() == 1",
      "self.val.transformMapEntry(k, v, {k + '2': v + 1}).size() == 2",
    ],
    fail: {
      "self.val['c'] == 1": 'no such key: c',
    },
  },
  {
    name: 'listMap access',
    schema: {
      type: 'object',
      properties: {
        listMap: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            properties: { k: { type: 'string' }, v: { type: 'string' }, v2: { type: 'string' } },
          },
        },
      },
    },
    object: {
      listMap: [
        { k: 'a1', v: 'b1' },
        { k: 'a2', v: 'b2' },
        { k: 'a3', v: 'b3', v2: 'z' },
      ],
    },
    hold: [
      'has(self.listMap[0].v)',
      "self.listMap.all(m, m.k.startsWith('a'))",
      "self.listMap.all(m, !has(m.v2) || m.v2 == 'z')",
      "self.listMap.exists(m, m.k.endsWith('1'))",
      "self.listMap.exists_one(m, m.k == 'a3')",
      "!self.listMap.all(m, m.k.endsWith('1'))",
      "!self.listMap.exists(m, m.v == 'x')",
      "!self.listMap.exists_one(m, m.k.startsWith('a'))",
      "size(self.listMap.filter(m, m.k == 'a1')) == 1",
      "self.listMap.exists(m, m.k == 'a1' && m.v == 'b1')",
      "self.listMap.map(m, m.v).exists(v, v == 'b1')",
      "self.listMap.exists(m, has(m.v2) && m.v2 == 'z')",
      "!self.listMap.all(m, has(m.v2) && m.v2 != 'z')",
      "self.listMap.exists_one(m, has(m.v2) && m.v2 == 'z')",
      "self.listMap.filter(m, has(m.v2) && m.v2 == 'z').size() == 1",
      "self.listMap.map(m, has(m.v2) && m.v2 == 'z', m.v2).size() == 1",
      "self.listMap.filter(m, has(m.v2) && m.v2 == 'z').map(m, m.v2).size() == 1",
      "self.listMap.exists(m, m.v2 == 'z')",
      "!self.listMap.all(m, m.v2 != 'z')",
      "!self.listMap.all(i, m, has(m.v2) && m.v2 != 'z')",
      "self.listMap.exists(i, m, has(m.v2) && m.v2 == 'z')",
      "self.listMap.existsOne(i, m, has(m.v2) && m.v2 == 'z')",
      "self.listMap.transformList(i, m, has(m.v2) && m.v2 == 'z', m.v2).size() == 1",
      'self.listMap.transformList(i, m, m.v).size() == 3',
    ],
    fail: {
      "self.listMap.all(m, m.v2 == 'z')": 'no such key: v2',
      "self.listMap.exists_one(m, m.v2 == 'z')": 'no such key: v2',
      "self.listMap.filter(m, m.v2 == 'z').size() == 1": 'no such key: v2',
      'self.listMap.map(m, m.v2).size() == 1': 'no such key: v2',
      "self.listMap.map(m, m.v2 == 'z', m.v2).size() == 1": 'no such key: v2',
    },
  },
  {
    name: 'list access',
    schema: {
      type: 'object',
      properties: { array: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'integer' } } },
    },
    object: { array: [1, 1, 2, 2, 3, 3, 4, 5] },
    hold: [
      '2 in self.array',
      'self.array.all(e, e > 0)',
      'self.array.exists(e, e > 2)',
      'self.array.exists_one(e, e > 4)',
      '!self.array.all(e, e < 2)',
      '!self.array.exists(e, e < 0)',
      '!self.array.exists_one(e, e == 2)',
      'self.array.all(e, e < 100)',
      'size(self.array.filter(e, e%2 == 0)) == 3',
      'self.array.map(e, e * 20).filter(e, e > 50).exists(e, e == 60)',
      'size(self.array) == 8',
      'self.array.all(i, e, e > 0)',
      'self.array.exists(i, e, e > 2)',
      'self.array.existsOne(i, e, e > 4)',
      'self.array.transformList(i, e, e > 2, e * 2).size() > 0',
      'self.array.transformList(i, e, e * 2).size() > 0',
    ],
    fail: {
      'self.array[100] == 0': 'index out of bounds: 100',
    },
  },
  {
    name: 'listSet access',
    schema: {
      type: 'object',
      properties: { set: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'integer' } } },
    },
    object: { set: [1, 2, 3, 4, 5] },
    hold: [
      '3 in self.set',
      'self.set.all(e, e > 0)',
      'self.set.exists(e, e > 3)',
      'self.set.exists_one(e, e == 3)',
      '!self.set.all(e, e < 3)',
      '!self.set.exists(e, e < 0)',
      '!self.set.exists_one(e, e > 3)',
      'self.set.all(e, e < 10)',
      'size(self.set.filter(e, e%2 == 0)) == 2',
      'self.set.map(e, e * 20).filter(e, e > 50).exists_one(e, e == 60)',
      'size(self.set) == 5',
    ],
  },
  {
    name: 'typemeta and objectmeta access specified',
    schema: {
      type: 'object',
      properties: {
        kind: { type: 'string' },
        apiVersion: { type: 'string' },
        metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
      },
    },
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'xyz' } },
    hold: ["self.kind == 'Pod'", "self.apiVersion == 'v1'", "self.metadata.name == 'foo'", "self.metadata.generateName == 'pickItForMe'"],
    fail: {
      'has(self.metadata.namespace)': "undefined field 'namespace'",
    },
  },
  {
    name: 'typemeta and objectmeta access not specified',
    schema: { type: 'object', properties: { spec: { type: 'object', properties: { field1: { type: 'string' } } } } },
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'xyz' },
      spec: { field1: 'a' },
    },
    isRoot: true,
    hold: [
      "self.kind == 'Pod'",
      "self.apiVersion == 'v1'",
      "self.metadata.name == 'foo'",
      "self.metadata.generateName == 'pickItForMe'",
      "self.spec.field1 == 'a'",
    ],
    fail: {
      'has(self.metadata.namespace)': "undefined field 'namespace'",
    },
  },
  {
    name: 'embedded object',
    schema: { type: 'object', properties: { embedded: { type: 'object', 'x-kubernetes-embedded-resource': true } } },
    object: {
      embedded: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'xyz' },
        spec: { field1: 'a' },
      },
    },
    hold: [
      "self.embedded.kind == 'Pod'",
      "self.embedded.apiVersion == 'v1'",
      "self.embedded.metadata.name == 'foo'",
      "self.embedded.metadata.generateName == 'pickItForMe'",
    ],
    fail: {
      'has(self.embedded.metadata.namespace)': "undefined field 'namespace'",
      'has(self.embedded.spec)': "undefined field 'spec'",
    },
  },
  {
    name: 'embedded object with properties',
    schema: {
      type: 'object',
      properties: {
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: {
            kind: { type: 'string' },
            apiVersion: { type: 'string' },
            metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
            spec: { type: 'object', properties: { field1: { type: 'string' } } },
          },
        },
      },
    },
    object: {
      embedded: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'xyz' },
        spec: { field1: 'a' },
      },
    },
    hold: [
      "self.embedded.kind == 'Pod'",
      "self.embedded.apiVersion == 'v1'",
      "self.embedded.metadata.name == 'foo'",
      "self.embedded.metadata.generateName == 'pickItForMe'",
      "self.embedded.spec.field1 == 'a'",
    ],
    fail: {
      'has(self.embedded.metadata.namespace)': "undefined field 'namespace'",
    },
  },
  {
    name: 'embedded object with usage of reserved keywords',
    schema: {
      type: 'object',
      properties: {
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: {
            kind: { type: 'string' },
            apiVersion: { type: 'string' },
            metadata: {
              type: 'object',
              properties: { name: { type: 'string' }, generateName: { type: 'string' }, namespace: { type: 'string' } },
            },
            spec: { type: 'object', properties: { if: { type: 'string' } } },
          },
        },
      },
    },
    object: {
      embedded: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'reserved_keyword_namespace' },
        spec: { if: 'reserved_keyword_if' },
      },
    },
    hold: [
      'has(self.embedded.metadata.namespace)',
      "self.embedded.metadata.namespace == 'reserved_keyword_namespace'",
      'has(self.embedded.spec.if)',
      "self.embedded.spec.if == 'reserved_keyword_if'",
    ],
  },
  {
    name: 'embedded object with preserve unknown',
    schema: {
      type: 'object',
      properties: {
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    object: {
      embedded: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'foo', generateName: 'pickItForMe', namespace: 'xyz' },
        spec: { field1: 'a' },
      },
    },
    hold: [
      "self.embedded.kind == 'Pod'",
      "self.embedded.apiVersion == 'v1'",
      "self.embedded.metadata.name == 'foo'",
      "self.embedded.metadata.generateName == 'pickItForMe'",
      'has(self.embedded)',
    ],
    fail: {
      'has(self.embedded.spec)': "undefined field 'spec'",
    },
  },
  {
    name: 'string in intOrString',
    schema: { type: 'object', properties: { something: { 'x-kubernetes-int-or-string': true } } },
    object: { something: '25%' },
    hold: [
      "self.something == '25%'",
      'self.something != 1',
      "self.something == 1 || self.something == '25%'",
      "self.something == '25%' || self.something == 1",
      "type(self.something) == string && self.something == '25%'",
      "type(self.something) == int ? self.something == 1 : self.something == '25%'",
      "self.something != ['anything']",
    ],
  },
  {
    name: 'int in intOrString',
    schema: { type: 'object', properties: { something: { 'x-kubernetes-int-or-string': true } } },
    object: { something: 1 },
    hold: [
      'self.something == 1',
      "self.something != 'some string'",
      "self.something == 1 || self.something == '25%'",
      "self.something == '25%' || self.something == 1",
      'type(self.something) == int && self.something == 1',
      "type(self.something) == int ? self.something == 1 : self.something == '25%'",
      "self.something != ['anything']",
    ],
  },
  {
    name: 'null in intOrString',
    schema: { type: 'object', properties: { something: { 'x-kubernetes-int-or-string': true, nullable: true } } },
    object: { something: null },
    hold: ['!has(self.something)'],
    fail: {
      'type(self.something) == int': 'no such key',
    },
  },
  {
    name: 'percent comparison using intOrString',
    schema: {
      type: 'object',
      properties: {
        min: { 'x-kubernetes-int-or-string': true },
        current: { type: 'integer' },
        available: { type: 'integer' },
      },
    },
    object: { min: '50%', current: 5, available: 10 },
    hold: [
      "type(self.min) == string && self.min.matches(r'(\\d+(\\.\\d+)?%)')",
      "type(self.min) == int ? self.current <= self.min : double(self.current) / double(self.available) >= double(self.min.replace('%', '')) / 100.0",
    ],
  },
];
