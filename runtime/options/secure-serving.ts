import { cipherSuiteNames, tlsVersionNames } from '../machinery/tls/cipher-suites.ts';
import { commaSeparated, count, file, ipAddress, list, port, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-apiserver: pkg/server/options/serving.go) */
export const secureServingOptions: readonly OptionRow[] = [
  {
    option: 'bindAddress',
    flag: 'bind-address',
    value: ipAddress('127.0.0.1'),
    about: 'Address to listen on.',
    doc: 'The address to bind. Default: 127.0.0.1.',
  },
  {
    option: 'port',
    flag: 'secure-port',
    value: port(6443),
    about: 'Port to serve HTTPS on. 0: any free port.',
    doc: 'The port to bind. Default: 0, any free port.',
  },
  {
    option: 'certDir',
    flag: 'cert-dir',
    value: text('DIR', 'certs'),
    about: 'Folder of the certificates, which are created on the first start. Default with --storage=memory, --clock or --seed: none.',
    doc:
      'The folder of the certificates, created on the first start, and of the token signing key, created on first use. ' +
      'Default: in memory only.',
  },
  {
    option: 'tlsCertFile',
    flag: 'tls-cert-file',
    value: file(),
    about: 'PEM file of the serving certificate with its chain. Default: the certificate in --cert-dir.',
    doc:
      'PEM files of the serving certificate, with its chain, and of its key. Read again when they change. Default: the ' + "server's own.",
  },
  {
    option: 'tlsPrivateKeyFile',
    flag: 'tls-private-key-file',
    value: file(),
    about: 'PEM file of the private key of --tls-cert-file.',
    doc: 'PEM file of the private key of `tlsCertFile`.',
  },
  {
    option: 'tlsMinVersion',
    flag: 'tls-min-version',
    value: text('VERSION', 'VersionTLS12'),
    about: `Minimum TLS version: ${tlsVersionNames.join(', ')}.`,
    doc: 'VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13. Default: VersionTLS12.',
  },
  {
    option: 'tlsCipherSuites',
    flag: 'tls-cipher-suites',
    value: commaSeparated('SUITE,...'),
    about: `Cipher suites for TLS 1.2. Default: Go's. Known: ${cipherSuiteNames.join(', ')}.`,
    doc: "Go's names of cipher suites for TLS 1.2. Default: Go's default suites.",
  },
  {
    option: 'tlsSNICertKeys',
    flag: 'tls-sni-cert-key',
    value: list('CERT,KEY[:NAME,...]'),
    about:
      'Files of a certificate and its key for clients that ask for a name. Default: the names in the certificate. ' +
      'A name may begin with *. May be repeated.',
    doc: 'Certificates by requested name: `foo.crt,foo.key` or `foo.crt,foo.key:*.foo.com,foo.com`. Default: none.',
  },
  {
    option: 'http2MaxStreamsPerConnection',
    flag: 'http2-max-streams-per-connection',
    value: count(0),
    about: 'The most concurrent requests of one HTTP/2 connection. 0: 100; 1000 with --authentication-kubeconfig.',
    doc: 'The most concurrent requests of one HTTP/2 connection. Default: 0, which means 100, or 1000 with a delegate.',
  },
];
