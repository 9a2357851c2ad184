import { describe, expect, test } from '@jest/globals';
import { HtmlRewriter } from '../../../../runtime/client/proxy/html/html-rewriter.ts';
import { rewriteLink } from '../../../../runtime/client/proxy/rewriting.ts';

const place = { pathPrepend: '/pre', host: '10.0.0.1:80', requestHost: 'example.com' };

const newRewriter = (): HtmlRewriter => new HtmlRewriter((text) => rewriteLink(text, place));

/** Pages, and the results of upstream's rewriteHTML where they differ. */
const pages: readonly (readonly [page: string, rewritten?: string])[] = [
  ['text < b & c'],
  ['<A HREF=/x/ ID=1>', '<a href="/pre/x/" id="1">'],
  ["<a href='/x?a=b&amp;c=d#f'>", '<a href="/pre/x?a=b&amp;c=d#f">'],
  ['<br/><img src=a/>', '<br/><img src="a/">'],
  ['<img src=/a/>', '<img src="/pre/a/">'],
  ['<a href="//10.0.0.1:80/x">', '<a href="/pre/x">'],
  ['<a href="http://10.0.0.1:80/x/../y/">', '<a href="/pre/y/">'],
  ['<a href="http://example.com/x">', '<a href="http://example.com/pre/x">'],
  ['<a href="https://other/x y">', '<a href="https://other/x%20y">'],
  ['<a href="mailto:a@b">'],
  ['<a href="%zz">'],
  ['<a href=/caf&eacute;>', '<a href="/pre/caf%C3%A9">'],
  ['<a title="&lt;&quot;&#39;&#x80;&notin;&ampx" href="/%C3%A9/%2F">', '<a title="&lt;&#34;&#39;â¬â&amp;ampx" href="/pre/%C3%A9/">'],
  ['<a href="/pre/x">'],
  ['<p src=/x data-href=/y>', '<p src="/x" data-href="/y">'],
  ['<form action=/f><body background=/b>', '<form action="/pre/f"><body background="/pre/b">'],
  [
    '<script src=/s>if (a<b) "<a href=/no>"</script ><a href=/y>',
    '<script src="/pre/s">if (a<b) "<a href=/no>"</script ><a href="/pre/y">',
  ],
  [
    '<script><!-- <script> "<a href=/no>" </script> <a href=/no> --></script><a href=/y>',
    '<script><!-- <script> "<a href=/no>" </script> <a href=/no> --></script><a href="/pre/y">',
  ],
  ['<title><a href=/no></title>'],
  ['<textarea></TEXTAREA><a href=/y>', '<textarea></TEXTAREA><a href="/pre/y">'],
  ['<!-- <a href=/no> --><a href=/y>', '<!-- <a href=/no> --><a href="/pre/y">'],
  ['<!--> <a href=/y>', '<!--> <a href="/pre/y">'],
  ['<!doctype html><?php <a href=/no> ?>'],
  ['</a href="<a href=/no>"><a href=/y>', '</a href="<a href=/no>"><a href="/pre/y">'],
  ['<plaintext><a href=/no>'],
  ['<a href=/x', ''],
  ['end <'],
  ['<a =x href>', '<a =x="" href="">'],
  ['<a href=/x\r\ny href=/z>', '<a href="/pre/x" y="" href="/pre/z">'],
  ['<iframe src=/i longdesc="/l"></iframe>', '<iframe src="/pre/i" longdesc="/pre/l"></iframe>'],
];

describe('links in pages are rewritten as upstream does', () => {
  test.each(pages)('%j', (page, rewritten = page) => {
    const whole = newRewriter();
    expect(whole.write(page) + whole.end()).toBe(rewritten);
    const parts = newRewriter();
    expect([...page].map((char) => parts.write(char)).join('') + parts.end()).toBe(rewritten);
  });

  test('what is no tag is sent at once', () => {
    const rewriter = newRewriter();
    expect(['a <', 'b> c <a hr', 'ef=/x> d'].map((chunk) => rewriter.write(chunk))).toEqual(['a ', '<b> c ', '<a href="/pre/x"> d']);
  });

  test('a long tag is passed on before it fills the memory, and what follows is read as what it is', () => {
    const rewriter = newRewriter();
    const long = `<script src="data:${'x'.repeat(100_000)}">`;
    expect(rewriter.write(long.slice(0, 90_000))).toHaveLength(90_000);
    expect(rewriter.write(`${long.slice(90_000)}"<a href=/no>"</script><a href=/y>`)).toBe(
      `${long.slice(90_000)}"<a href=/no>"</script><a href="/pre/y">`,
    );
  });

  test('a tag with too many attributes stays as it is', () => {
    const tag = `<a ${'href=/x '.repeat(501)}>`;
    expect(newRewriter().write(`${tag}<a href=/y>`)).toBe(`${tag}<a href="/pre/y">`);
  });
});
