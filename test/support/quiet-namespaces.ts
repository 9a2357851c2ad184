import type { ServerOptions } from '../../runtime/index.ts';

/** Options for tests that count objects, resources or revisions: namespaces contain only the test's objects. */
export const quietNamespaces: Pick<ServerOptions, 'controllers'> = {
  controllers: ['*', '-serviceaccount-controller', '-root-ca-certificate-publisher-controller'],
};
