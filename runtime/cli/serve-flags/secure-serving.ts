import { cipherSuiteNames, tlsVersionNames } from '../../serving/tls/cipher-suites.ts';
import { commaSeparated, count, file, ipAddress, list, port, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/server/options/serving.go) */
export const secureServingFlags: readonly ServeFlag[] = [
  { name: 'bind-address', option: 'bindAddress', value: ipAddress('127.0.0.1'), about: 'Address to listen on.' },
  { name: 'secure-port', option: 'port', value: port(6443), about: 'Port to serve HTTPS on. 0: any free port.' },
  {
    name: 'cert-dir',
    option: 'certDir',
    value: text('DIR', 'certs'),
    about: 'Folder of the certificates, which are created on the first start. Default with --clock and --seed: none.',
  },
  {
    name: 'tls-cert-file',
    option: 'tlsCertFile',
    value: file(),
    about: 'PEM file of the serving certificate with its chain. Default: the certificate in --cert-dir.',
  },
  {
    name: 'tls-private-key-file',
    option: 'tlsPrivateKeyFile',
    value: file(),
    about: 'PEM file of the private key of --tls-cert-file.',
  },
  {
    name: 'tls-min-version',
    option: 'tlsMinVersion',
    value: text('VERSION', 'VersionTLS12'),
    about: `Minimum TLS version: ${tlsVersionNames.join(', ')}.`,
  },
  {
    name: 'tls-cipher-suites',
    option: 'tlsCipherSuites',
    value: commaSeparated('SUITE,...'),
    about: `Cipher suites for TLS 1.2. Default: those that Go offers. Known: ${cipherSuiteNames.join(', ')}.`,
  },
  {
    name: 'tls-sni-cert-key',
    option: 'tlsSNICertKeys',
    value: list('CERT,KEY[:NAME,...]'),
    about:
      'Files of a certificate and its key for clients that ask for a name. Default: the names in the certificate. ' +
      'A name may begin with *. May be repeated.',
  },
  {
    name: 'http2-max-streams-per-connection',
    option: 'http2MaxStreamsPerConnection',
    value: count(0),
    about: 'The most concurrent requests of one HTTP/2 connection. 0: 100; 1000 with --authentication-kubeconfig.',
  },
];
