import type { RuleCase } from './rule-case.ts';

export const unknownFieldCases: readonly RuleCase[] = [
  {
    name: 'preserve unknown fields',
    schema: {
      type: 'object',
      properties: {
        withUnknown: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        withUnknownList: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        withUnknownFieldList: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: {
            type: 'object',
            properties: { fieldOfUnknownType: { 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
        anyvalList: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: { 'x-kubernetes-preserve-unknown-fields': true },
        },
        anyvalMap: { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } },
        anyvalField1: { 'x-kubernetes-preserve-unknown-fields': true },
        anyvalField2: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    object: {
      withUnknown: { field1: 'a', field2: 'b' },
      withUnknownList: [{ field1: 'a', field2: 'b' }, { field1: 'x', field2: 'y' }, { field1: 'x', field2: 'y' }, {}, {}],
      withUnknownFieldList: [{ fieldOfUnknownType: 'a' }, { fieldOfUnknownType: 1 }, { fieldOfUnknownType: 1 }],
      anyvalList: ['a', 2],
      anyvalMap: { k: '1' },
      anyvalField1: 1,
      anyvalField2: 'a',
    },
    hold: [
      'has(self.withUnknown)',
      'self.withUnknownList.size() == 5',
      'self.withUnknownList[0] != self.withUnknownList[1]',
      'self.withUnknownList[1] == self.withUnknownList[2]',
      'self.withUnknownList[3] == self.withUnknownList[4]',
      'self.withUnknownFieldList[0] != self.withUnknownFieldList[1]',
      'self.withUnknownFieldList[1] == self.withUnknownFieldList[2]',
    ],
    fail: {
      'has(self.withUnknown.field1)': "undefined field 'field1'",
      'has(self.anyvalList)': "undefined field 'anyvalList'",
      'has(self.anyvalMap)': "undefined field 'anyvalMap'",
      'has(self.anyvalField1)': "undefined field 'anyvalField1'",
      'has(self.anyvalField2)': "undefined field 'anyvalField2'",
    },
  },
  {
    name: 'known and unknown fields',
    schema: {
      type: 'object',
      properties: {
        withUnknown: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'integer' } },
        },
        withUnknownList: {
          type: 'array',
          'x-kubernetes-list-type': 'atomic',
          items: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'integer' } },
          },
        },
      },
    },
    object: {
      withUnknown: { known: 1, unknown: 'a' },
      withUnknownList: [
        { known: 1, unknown: 'a' },
        { known: 1, unknown: 'b' },
        { known: 1, unknown: 'b' },
        { known: 1 },
        { known: 1 },
        { known: 2 },
      ],
    },
    hold: [
      'self.withUnknown.known == 1',
      'self.withUnknownList[0] != self.withUnknownList[1]',
      'self.withUnknownList[1] == self.withUnknownList[2]',
      'self.withUnknownList[0] != self.withUnknownList[1]',
      'self.withUnknownList[0] != self.withUnknownList[3]',
      'self.withUnknownList[0] != self.withUnknownList[5]',
      'self.withUnknownList[3] == self.withUnknownList[4]',
      'self.withUnknownList[4] != self.withUnknownList[5]',
    ],
    fail: {
      'has(self.withUnknown.unknown)': "undefined field 'unknown'",
    },
  },
  {
    name: 'field nullability',
    schema: {
      type: 'object',
      properties: {
        unsetPlainStr: { type: 'string' },
        unsetDefaultedStr: { type: 'string', default: 'default value' },
        unsetNullableStr: { type: 'string', nullable: true },
        setPlainStr: { type: 'string' },
        setDefaultedStr: { type: 'string', default: 'default value' },
        setNullableStr: { type: 'string', nullable: true },
        setToNullNullableStr: { type: 'string', nullable: true },
      },
    },
    object: {
      setPlainStr: 'v1',
      setDefaultedStr: 'v2',
      setNullableStr: 'v3',
      setToNullNullableStr: null,
      unsetDefaultedStr: 'default value',
    },
    hold: [
      '!has(self.unsetPlainStr)',
      "has(self.unsetDefaultedStr) && self.unsetDefaultedStr == 'default value'",
      '!has(self.unsetNullableStr)',
      "has(self.setPlainStr) && self.setPlainStr == 'v1'",
      "has(self.setDefaultedStr) && self.setDefaultedStr == 'v2'",
      "has(self.setNullableStr) && self.setNullableStr == 'v3'",
      'type(self.setNullableStr) != null_type',
      '!has(self.setToNullNullableStr)',
    ],
    fail: {
      'self.unsetPlainStr == null': "no matching overload for '_==_' applied to '(string, null)",
      'self.unsetDefaultedStr != null': "no matching overload for '_!=_' applied to '(string, null)",
      'self.unsetNullableStr == null': "no matching overload for '_==_' applied to '(string, null)",
      'self.setPlainStr != null': "no matching overload for '_!=_' applied to '(string, null)",
      'self.setDefaultedStr != null': "no matching overload for '_!=_' applied to '(string, null)",
      'self.setNullableStr != null': "no matching overload for '_!=_' applied to '(string, null)",
    },
  },
  {
    name: 'null values in container types',
    schema: {
      type: 'object',
      properties: {
        m: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
        l: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string', nullable: true } },
        s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } },
      },
    },
    object: { m: { a: null, b: 'not-nil' }, l: [null, 'not-nil'], s: [null, 'not-nil'] },
    hold: [
      'self.m.size() == 2',
      "'a' in self.m",
      "type(self.m['a']) == null_type",
      'self.l.size() == 2',
      'type(self.l[0]) == null_type',
      'self.s.size() == 2',
      'type(self.s[0]) == null_type',
    ],
  },
];
