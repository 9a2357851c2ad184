import type { ServerOptions } from '../../runtime/index.ts';

/** For tests that count objects, resources or revisions: namespaces have only the objects of the test. */
export const quietNamespaces: Pick<ServerOptions, 'controllers'> = {
  controllers: ['*', '-serviceaccount-controller', '-root-ca-certificate-publisher-controller'],
};
