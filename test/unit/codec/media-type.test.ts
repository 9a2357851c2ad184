import { describe, expect, test } from '@jest/globals';
import { parseAccept } from '../../../runtime/codec/accept.ts';
import { type EndpointRestrictions, negotiate, parseContentType } from '../../../runtime/codec/media-type.ts';

const offers = [
  { mediaType: 'application/json', streams: true },
  { mediaType: 'application/yaml', streams: false },
  { mediaType: 'application/vnd.kubernetes.protobuf', streams: true },
];
const tables: EndpointRestrictions = {
  allowsTransform: (mediaType, target) =>
    target === undefined ||
    (target.group === 'meta.k8s.io' &&
      ['v1', 'v1beta1'].includes(target.version) &&
      (target.kind !== 'Table' || !mediaType.endsWith('protobuf'))),
};

describe('negotiate', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', undefined],
    ['text/html, application/yaml;q=0.1', 'application/yaml'],
    ['application/yaml;q=0.5, application/json;q=0.9', 'application/json'],
    ['*/*, application/yaml', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf, */*', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf,application/json;q=0.9', 'application/vnd.kubernetes.protobuf'],
    ['application/json;q=0', 'application/json'],
    ['APPLICATION/JSON', undefined],
    ['application', undefined],
    ['application/json/x', undefined],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/yaml;stream=watch, application/json', 'application/json'],
    ['application/json;stream=other', undefined],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', undefined],
  ])('%j chooses %j', (accept, want) => {
    expect(negotiate(accept, offers)?.mediaType).toBe(want);
  });

  test("kubectl's Accept of a get is a table, and JSON where tables are not allowed", () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
    expect(negotiate(accept, offers, tables)).toEqual({
      mediaType: 'application/json',
      streams: true,
      convert: { group: 'meta.k8s.io', version: 'v1', kind: 'Table' },
      stream: '',
      pretty: false,
      profile: '',
    });
    expect(negotiate(accept, offers)?.convert).toBeUndefined();
  });

  test('a table in protobuf falls through to the next clause', () => {
    const accept = 'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io';
    expect(negotiate(accept, offers, tables)?.mediaType).toBe('application/json');
  });

  test('pretty, stream and profile are returned', () => {
    const accept = 'application/json;pretty=1;stream=watch;profile=local';
    expect(negotiate(accept, offers)).toMatchObject({ pretty: true, stream: 'watch', profile: 'local' });
  });
});

test('many clauses take bounded time', () => {
  const clauses = parseAccept(Array.from({ length: 5000 }, (_, i) => `a/b${i};q=0.${i % 10}`).join(','));
  expect(clauses[0].quality).toBe(0.9);
});

describe('parseContentType', () => {
  test.each([
    ['application/json', 'application/json', {}],
    [' Application/JSON ; Charset=UTF-8', 'application/json', { charset: 'UTF-8' }],
    ['application/json;', 'application/json', {}],
    ['text/plain; a="x;\\"y"; b=c', 'text/plain', { a: 'x;"y', b: 'c' }],
    ['json', 'json', {}],
  ])('%j', (header, mediaType, parameters) => {
    expect(parseContentType(header)).toEqual({ mediaType, parameters });
  });

  test.each(['', ';', 'a/b/c', 'application/json; charset', 'a/b; c=d; c=e', 'application/json, text/plain', 'a b'])(
    '%j cannot be parsed',
    (header) => {
      expect(parseContentType(header)).toBeUndefined();
    },
  );
});
