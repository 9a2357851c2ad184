import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '../../../runtime/http/query-string.ts';
import { isLongRunning, parseRequestInfo } from '../../../runtime/http/request-info.ts';

const info = (method: string, url: string) => {
  const [path, query = ''] = url.split('?');
  return parseRequestInfo(method, path, parseQuery(query));
};

describe('the request info of a URL', () => {
  // method, url, verb, group, version, namespace, resource, subresource, name, parts
  test.each([
    ['GET', '/api/v1/namespaces', 'list', '', 'v1', '', 'namespaces', '', '', 'namespaces'],
    ['GET', '/api/v1/namespaces/other', 'get', '', 'v1', 'other', 'namespaces', '', 'other', 'namespaces other'],
    ['GET', '/api/v1/namespaces/other/pods', 'list', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods/', 'list', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods/foo', 'get', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['GET', '/api/v1/pods', 'list', '', 'v1', '', 'pods', '', '', 'pods'],
    ['HEAD', '/api/v1/pods', 'list', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/proxy/namespaces/other/pods/foo', 'proxy', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['GET', '/api/v1/proxy/namespaces/other/pods/foo/a/b', 'proxy', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo a b'],
    ['GET', '/api/v1/watch/pods', 'watch', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/pods?watch=true', 'watch', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/pods?watch=', 'watch', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/pods?watch=False', 'list', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/watch/namespaces/other/pods', 'watch', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods?watch=1', 'watch', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods?watch=0', 'list', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/pods?watch=1&limit=x', 'watch', '', 'v1', '', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get', '', 'v1', 'other', 'pods', 'status', 'foo', 'pods foo status'],
    ['GET', '/api/v1/namespaces/o/pods/foo/proxy/sub', 'get', '', 'v1', 'o', 'pods', 'proxy', 'foo', 'pods foo proxy sub'],
    ['PUT', '/api/v1/namespaces/o/finalize', 'update', '', 'v1', 'o', 'namespaces', 'finalize', 'o', 'namespaces o finalize'],
    ['PUT', '/api/v1/namespaces/o/status', 'update', '', 'v1', 'o', 'namespaces', 'status', 'o', 'namespaces o status'],
    ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete', '', 'v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['POST', '/api/v1/namespaces/other/pods', 'create', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['OPTIONS', '/api/v1/namespaces/other/pods', '', '', 'v1', 'other', 'pods', '', '', 'pods'],
    ['DELETE', '/api/v1/nodes', 'deletecollection', '', 'v1', '', 'nodes', '', '', 'nodes'],
    ['DELETE', '/api/v1/namespaces', 'deletecollection', '', 'v1', '', 'namespaces', '', '', 'namespaces'],
    ['DELETE', '/apis/apps/v1/namespaces/o/pods', 'deletecollection', 'apps', 'v1', 'o', 'pods', '', '', 'pods'],
    ['POST', '/apis/apps/v1beta3/namespaces/o/pods', 'create', 'apps', 'v1beta3', 'o', 'pods', '', '', 'pods'],
    ['GET', '/apis/g/v/r?fieldSelector=metadata.name=n', 'list', 'g', 'v', '', 'r', '', 'n', 'r'],
    ['GET', '/apis/g/v/r?watch=true&fieldSelector=metadata.name%3Dn', 'watch', 'g', 'v', '', 'r', '', 'n', 'r'],
    ['DELETE', '/apis/g/v/r?fieldSelector=metadata.name=n', 'deletecollection', 'g', 'v', '', 'r', '', '', 'r'],
    ['GET', '/apis/g/v/r?fieldSelector=metadata.name=..', 'list', 'g', 'v', '', 'r', '', '', 'r'],
    ['GET', '/apis/g/v/r?fieldSelector=metadata.name=n,foo', 'list', 'g', 'v', '', 'r', '', '', 'r'],
  ])('%s %s', (method, url, verb, group, version, namespace, resource, subresource, name, parts) => {
    expect(info(method, url)).toMatchObject({
      isResourceRequest: true,
      verb,
      group,
      version,
      namespace,
      resource,
      subresource,
      name,
      parts: parts.split(' '),
    });
  });

  test.each(['/', '/api', '/api/v1', '/api/version/', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz', '/version', '/foo/bar/baz'])(
    '%s is not a resource request',
    (path) => expect(info('GET', path)).toMatchObject({ isResourceRequest: false, verb: 'get', path, resource: '' }),
  );

  test('a verb in the path without a resource is a bad request', () => {
    expect(() => info('GET', '/api/v1/watch')).toThrow('unable to determine kind and namespace');
    expect(() => info('GET', '/apis/g/v/watch')).toThrow('unable to determine kind and namespace');
  });

  test('selectors are read for verbs that select, the first of each', () => {
    const url = '/apis/g/v/r?fieldSelector=a%3Db&fieldSelector=c&labelSelector=x%3Dy';
    expect(info('GET', url)).toMatchObject({ fieldSelector: 'a=b', labelSelector: 'x=y' });
    expect(info('GET', url.replace('/r?', '/r/name?'))).toMatchObject({ fieldSelector: '', labelSelector: '' });
    expect(info('GET', url.replace('/v/', '/v/watch/'))).toMatchObject({ fieldSelector: '', labelSelector: '' });
  });

  test('names of Object.prototype are ordinary names', () => {
    expect(info('GET', '/api/v1/namespaces/__proto__/constructor/toString')).toMatchObject({
      namespace: '__proto__',
      resource: 'constructor',
      name: 'toString',
    });
    expect(info('constructor', '/api/v1/pods').verb).toBe('');
  });

  test.each([
    ['/api/v1/pods?watch=1', true],
    ['/api/v1/pods', false],
    ['/api/v1/namespaces/x/pods/y/exec', true],
    ['/api/v1/namespaces/x/pods/y/log', true],
    ['/api/v1/namespaces/x/pods/y/status', false],
    ['/healthz', false],
  ])('%s is long-running: %s', (url, want) => expect(isLongRunning(info('GET', url))).toBe(want));
});

describe('query strings', () => {
  test.each([
    ['a=b&a=c', [['a', ['b', 'c']]]],
    ['a+b=c%20d%2Be', [['a b', ['c d+e']]]],
    ['a', [['a', ['']]]],
    ['a=1;b=2&c=3', [['c', ['3']]]],
    ['a=%zz&b=%&c=1', [['c', ['1']]]],
    ['__proto__=x', [['__proto__', ['x']]]],
    ['a=%ff', [['a', ['\ufffd']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['', []],
  ])('%j', (text, want) => expect([...parseQuery(text)]).toEqual(want));
});
