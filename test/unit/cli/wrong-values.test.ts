import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isJsonOutput } from '../../../runtime/cli/output-flag.ts';
import { requestedOptions } from '../../../runtime/cli/requested-options.ts';
import { serveFlags, serverOptions } from '../../../runtime/cli/serve-flags.ts';
import { startServer } from '../../../runtime/index.ts';
import { type Flag, parseFlags } from '../../../runtime/machinery/options/flags.ts';
import type { ServerOptions } from '../../../runtime/options/server-options.ts';

/* Every flag of `kubeloom serve` with wrong values. A new flag fails here until the tables have its wrong values. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-flags-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Values that are wrong for a kind of flag, by its placeholder. */
const wrongOf: Readonly<Record<string, readonly string[]>> = {
  NUMBER: ['-1', 'x', '', '1e3', '12345678901', 'Infinity', 'NaN'],
  PORT: ['99999', '-1', 'x', '', '1.5'],
  DURATION: ['5', '-1s', 'later', '', '1e3s', '9999999h'],
  SECONDS: ['0', '-1', 'x', '', '99999999999'],
  IP: ['localhost', '', '1.2.3', '999.1.1.1'],
  manual: ['later', '', 'Manual'],
};

/** Further flags that a flag requires. */
const needs: Readonly<Record<string, readonly string[]>> = {
  clock: ['--test-controls'],
  seed: ['--test-controls'],
  ...Object.fromEntries(['nodes', 'stages', 'stage-objects'].map((name) => [`simulate-${name}`, ['--simulate']])),
};

/** Integers may be negative, and durations may have any length. */
const right: Readonly<Record<string, readonly string[]>> = {
  seed: ['-1', '12345678901'],
  'cluster-signing-duration': ['9999999h'],
};

function options(...args: string[]): ServerOptions {
  const flags = parseFlags(args, serveFlags);
  isJsonOutput(flags);
  return serverOptions(flags);
}

function wrongValues({ name, type, value = '' }: Flag): readonly string[] | undefined {
  if (type === 'boolean') return ['maybe', '', '2', 'TRUE'];
  const wrong = /^[a-z0-9-]+(\|[a-z0-9-]+)+$/i.test(value) && value === value.toLowerCase() ? ['some', ''] : wrongOf[value];
  return wrong?.filter((one) => !right[name]?.includes(one));
}

/** A wrong text, the expected error, and required flags. The error is upstream's where upstream has the flag. */
const texts: Readonly<Record<string, readonly [value: string, want: string, ...beside: string[]]>> = {
  'advertise-address': ['!', '--advertise-address: "!" is not an IP address'],
  'cors-allowed-origins': ['(', '--cors-allowed-origins has an invalid regular expression'],
  'strict-transport-security-directives': ['!', '--strict-transport-security-directives invalid'],
  'feature-gates': ['Foo=true', '--feature-gates: unrecognized feature gate: Foo'],
  controllers: ['nobody', '--controllers: "nobody" is not in the list of known controllers'],
  'etcd-servers': ['!', '--etcd-servers cannot be used with --storage=memory'],
  'etcd-servers-overrides': [
    '!',
    '--etcd-servers-overrides invalid, must be of format',
    '--storage=etcd',
    '--etcd-servers=http://127.0.0.1:1',
  ],
  'etcd-certfile': ['MISSING', 'KeyFile and CertFile must both be present', '--storage=etcd', '--etcd-servers=a'],
  'etcd-keyfile': ['MISSING', 'KeyFile and CertFile must both be present', '--storage=etcd', '--etcd-servers=a'],
  'encryption-provider-config': ['MISSING', 'MISSING'],
  'storage-media-type': ['text/html', '--storage-media-type', '--storage=etcd', '--etcd-servers=http://127.0.0.1:1'],
  'tls-cert-file': ['MISSING', '--tls-cert-file and --tls-private-key-file must be set together'],
  'tls-private-key-file': ['MISSING', '--tls-cert-file and --tls-private-key-file must be set together'],
  'tls-min-version': ['VersionSSL3', 'unknown tls version "VersionSSL3"'],
  'tls-cipher-suites': ['TLS_NONE', "Cipher suite TLS_NONE not supported or doesn't exist"],
  'tls-sni-cert-key': ['!', 'invalid argument "!" for "--tls-sni-cert-key" flag'],
  'audit-policy-file': ['MISSING', 'MISSING'],
  'audit-log-version': ['v9', 'invalid group version, allowed versions are ["audit.k8s.io/v1"]'],
  'audit-webhook-version': ['v9', 'invalid group version, allowed versions are ["audit.k8s.io/v1"]'],
  'authentication-config': ['MISSING', 'MISSING'],
  'authentication-token-webhook-config-file': ['MISSING', '--authentication-token-webhook-config-file: ENOENT'],
  'client-ca-file': ['MISSING', '--client-ca-file: '],
  ...Object.fromEntries(
    [
      'issuer-url',
      'client-id',
      'username-claim',
      'username-prefix',
      'groups-claim',
      'groups-prefix',
      'ca-file',
      'required-claim',
      'signing-algs',
    ].map((name) => [
      `oidc-${name}`,
      ['x', 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'] as const,
    ]),
  ),
  'requestheader-client-ca-file': ['MISSING', '--requestheader-client-ca-file: '],
  'requestheader-username-headers': ['" "', '', '--requestheader-client-ca-file=MISSING'],
  'requestheader-uid-headers': ['X-Other', '--requestheader-uid-headers is set without specifying'],
  'service-account-signing-key-file': ['MISSING', '--service-account-signing-key-file'],
  'service-account-key-file': ['MISSING', '--service-account-key-file'],
  'service-account-jwks-uri': ['!', 'service-account-jwks-uri must be a valid URL'],
  'pod-programs': ['MISSING', '--pod-programs: MISSING: ENOENT', '--simulate'],
  'token-auth-file': ['MISSING', 'MISSING'],
  'authorization-mode': ['Nobody', '--authorization-mode: '],
  'authorization-config': ['MISSING', '--authorization-config: '],
  'authorization-webhook-config-file': ['MISSING', 'without mode Webhook'],
  'authentication-kubeconfig': ['MISSING', '--authentication-kubeconfig and --authorization-kubeconfig need --no-builtin'],
  'authorization-kubeconfig': ['MISSING', '--authentication-kubeconfig and --authorization-kubeconfig need --no-builtin'],
  'service-cluster-ip-range': ['!', 'service-cluster-ip-range[0] is not a valid cidr'],
  'service-node-port-range': ['!', '--service-node-port-range: '],
  'kubelet-certificate-authority': ['MISSING', '--kubelet-certificate-authority: '],
  'kubelet-client-certificate': ['MISSING', '--kubelet-client-certificate and --kubelet-client-key must be given together'],
  'kubelet-client-key': ['MISSING', '--kubelet-client-certificate and --kubelet-client-key must be given together'],
  ...Object.fromEntries(
    ['', 'kubelet-serving-', 'kubelet-client-', 'kube-apiserver-client-', 'legacy-unknown-'].flatMap((signer) =>
      ['cert', 'key'].map((one) => [
        `cluster-signing-${signer}${one}-file`,
        ['MISSING', `--cluster-signing-${signer}cert-file and --cluster-signing-${signer}key-file must be set`] as const,
      ]),
    ),
  ),
  'enable-admission-plugins': ['Nothing', 'enable-admission-plugins plugin "Nothing" is unknown'],
  'disable-admission-plugins': ['Nothing', 'disable-admission-plugins plugin "Nothing" is unknown'],
  'admission-control-config-file': ['MISSING', 'failed to read plugin config: '],
  'runtime-config': ['api/gamma=false', '--runtime-config: '],
  'kubernetes-version': ['v9.9', '--kubernetes-version'],
  group: ['MISSING', 'MISSING'],
  'proxy-client-cert-file': ['MISSING', '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
  'proxy-client-key-file': ['MISSING', '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
  'simulate-stages': ['MISSING', 'MISSING', '--simulate'],
  fixtures: ['MISSING', 'MISSING'],
  snapshot: ['MISSING', 'MISSING'],
  record: ['FOLDER/none/file', '--record: '],
};

const bounded = serveFlags.filter((flag) => !Object.hasOwn(texts, flag.name) && wrongValues(flag) !== undefined);

test.each(bounded.map((flag) => [flag.name, flag] as const))('--%s refuses wrong values', (name, flag) => {
  for (const value of wrongValues(flag) ?? []) {
    const start = () => options(...(needs[name] ?? []), `--${name}=${value}`);
    expect(start).toThrow(`invalid argument ${JSON.stringify(value)} for --${name}: `);
  }
});

/** Flags that accept any text, or a file or folder that the server creates. */
const anything: ReadonlySet<string> = new Set([
  'external-hostname',
  'etcd-prefix',
  'api-audiences',
  'service-account-issuer',
  'kubelet-preferred-address-types',
  'requestheader-allowed-names',
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  // flags of servers with a delegate, which the kubeconfig flags name
  'authorization-always-allow-paths',
  'kubeconfig',
  // unit/cli/unusable-paths has folders that cannot be created; unit/cli/commands has documents
  'data-dir',
  'cert-dir',
  'write-kubeconfig',
  // unit/cli/merged-kubeconfig
  'merge-kubeconfig',
  'audit-log-path',
  'from',
  // files that are read for every connection
  'etcd-cafile',
  // without a policy, nothing is sent
  'audit-webhook-config-file',
]);

test('every flag has bounds, or a wrong value, or takes anything', () => {
  const covered = new Set([...bounded.map(({ name }) => name), ...Object.keys(texts), ...anything]);
  expect(serveFlags.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

describe('a server is not started', () => {
  test.each(Object.entries(texts))('with a wrong --%s', async (name, [value, want, ...beside]) => {
    const full = (text: string): string => text.replace('MISSING', join(folder, 'missing')).replace('FOLDER', folder);
    const args = ['--storage=memory', '--secure-port=0', '--log-level=silent', `--cert-dir=${folder}`, ...beside];
    const start = async () => {
      const flags = parseFlags([...args, `--${name}=${full(value)}`].map(full), serveFlags);
      const server = await startServer(await requestedOptions(flags));
      await server.close();
    };
    await expect(start()).rejects.toThrow(full(want));
  });
});

test.each(serveFlags.map(({ name }) => name))('--%s is suggested for a misspelt name', (name) => {
  const at = [...name].findIndex(
    (letter, index) => index > 0 && letter !== name[index - 1] && /[a-z]{2}/.test(name.slice(index - 1, index + 1)),
  );
  const misspelt = `${name.slice(0, at - 1)}${name[at]}${name[at - 1]}${name.slice(at + 1)}`;
  expect(() => options(`--${misspelt}=x`)).toThrow(`unknown flag: --${misspelt}, did you mean --${name}?`);
});
