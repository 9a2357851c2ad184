import { describe, expect, test } from '@jest/globals';
import { decodeDocumentIndex, ownerOf } from '../../../../runtime/extensions/aggregation/openapi/document-index.ts';

const path = 'apis/a.io/v1';
const local = `/openapi/v3/${path}`;

describe('the index of the documents of another server', () => {
  test.each<[given: string, want: string]>([
    [`${local}?hash=ABC123`, `${local}?hash=ABC123`],
    [local, local],
    ['', local],
    [`https://evil.example${local}?hash=AB`, local],
    [`//evil.example${local}?hash=AB`, local],
    [`/\\evil.example${local}?hash=AB`, local],
    [`\\\\evil.example${local}`, local],
    [`http:${local}`, local],
    [`javascript:alert(1)`, local],
    [`${local}@evil.example`, local],
    [`${local}/../../../../api/v1/secrets`, local],
    [`/openapi/v3/../../${path}`, local],
    [`/openapi/v3/apis/b.io/v1?hash=AB`, local],
    [`/openapi/v3/apis/a.io/v10?hash=AB`, local],
    [`/api/v1/secrets`, local],
    [`openapi/v3/${path}?hash=AB`, local],
    [`${local}?hash=AB&token=x`, local],
    [`${local}?hash=`, local],
    [`${local}?hash=A%0aB`, local],
    [`${local}?hash=AB#x`, local],
    [`${local}?token=x&hash=AB`, local],
    [`${local}?hash=${'A'.repeat(129)}`, local],
    [` ${local}?hash=AB`, local],
    [`${local}?hash=AB\n`, local],
  ])('%j leads to %s', (given, want) => {
    expect(decodeDocumentIndex({ paths: { [path]: { serverRelativeURL: given } } })).toEqual(new Map([[path, want]]));
  });

  test.each<[path: string, isKept: boolean]>([
    ['api/v1', true],
    ['apis', true],
    ['apis/a.io', true],
    ['.well-known/openid-configuration', true],
    ['openid/v1/jwks', true],
    ['', false],
    ['/apis/a.io/v1', false],
    ['apis//v1', false],
    ['apis/a.io/v1/', false],
    ['apis/../api/v1', false],
    ['apis/./v1', false],
    ['..', false],
    ['apis/a.io/v1?hash=AB', false],
    ['apis/a.io/v1#x', false],
    ['apis\\a.io\\v1', false],
    ['apis/a%2e%2e/v1', false],
    ['https://evil.example', false],
    ['__proto__', false],
    ['apis/a.io/v1\n', false],
  ])('a document at %j is kept: %p', (given, isKept) => {
    const paths = JSON.parse(`{${JSON.stringify(given)}:{"serverRelativeURL":"/x"}}`);
    expect([...decodeDocumentIndex({ paths }).keys()]).toEqual(isKept ? [given] : []);
  });

  test.each([[null], [[]], [{}], [{ paths: [] }], [{ paths: { [path]: {} } }], [{ paths: { [path]: null } }]])('refuses %j', (index) => {
    expect(() => decodeDocumentIndex(index as never)).toThrow('/openapi/v3 has no');
  });

  test.each<[path: string, owner: string | undefined]>([
    ['apis/a.io/v1', 'v1.a.io'],
    ['api/v1', 'v1.'],
    ['api', undefined],
    ['apis/a.io', undefined],
    ['apis/a.io/v1/x', undefined],
    ['version', undefined],
  ])('the document %s belongs to the APIService %s', (given, owner) => {
    expect(ownerOf(given)).toBe(owner);
  });
});
