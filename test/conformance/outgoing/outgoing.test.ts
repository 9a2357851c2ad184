import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { probe } from '../../support/probe-run.ts';
import { describeUnless } from '../../support/skipping.ts';
import { TestServer } from '../../support/test-server.ts';

/** The answers of kube-apiserver v1.35.0: status, number of requests that the webhook got, message. */
const wanted: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('wanted.json', import.meta.url), 'utf8'),
);

describe('calls of webhooks, with every kind of certificate, path, answer and redirect', () => {
  const suite = TestServer.forSuite();

  test('end as those of kube-apiserver', async () => {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
    expect(await probe({ url, tls: { ca, cert, key } })).toEqual(wanted);
  });
});

const { SERVER_URL: url = '', TOKEN: token = '' } = process.env;
const missing = url === '' || token === '' ? 'SERVER_URL and TOKEN name no kube-apiserver' : undefined;

describeUnless(missing)('the calls of kube-apiserver itself', () => {
  test('end as they are written down', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect(await probe({ url, headers, tls: { rejectUnauthorized: false } })).toEqual(wanted);
  });
});
