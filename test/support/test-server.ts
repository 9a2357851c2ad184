import { afterAll, beforeAll } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../runtime/index.ts';
import { everyVersion } from './every-version.ts';
import { HttpClient } from './http-client.ts';
import { Kubectl } from './kubectl.ts';
import type { KubectlVersion } from './kubectl-binary.ts';

/**
 * Starts a server for tests that create pods without a service account and count revisions. As in upstream's own
 * integration tests, the plugin ServiceAccount and leader election default to off. All versions are served.
 */
export function startTestServer(given: ServerOptions = {}): Promise<RunningServer> {
  const options = { leaderElect: false, ...everyVersion, ...given };
  const { enableAdmissionPlugins = [], disableAdmissionPlugins = [] } = options;
  if (enableAdmissionPlugins.includes('ServiceAccount')) return startServer(options);
  return startServer({ ...options, disableAdmissionPlugins: [...disableAdmissionPlugins, 'ServiceAccount'] });
}

/** A server in memory with an HTTP client and, on request, a kubectl of its administrator. */
export class TestServer {
  #server: RunningServer | undefined;
  #http: HttpClient | undefined;
  #kubectl: Kubectl | undefined;

  /**
   * Returns a server for the enclosing `describe` or the file. It runs from before the first test to after the last.
   */
  static forSuite(options: ServerOptions = {}): TestServer {
    const suite = new TestServer();
    beforeAll(async () => {
      suite.#server = await startTestServer(options);
      suite.#http = HttpClient.for(suite.#server);
    });
    afterAll(async () => {
      suite.#http?.close();
      await suite.#kubectl?.close();
      await suite.#server?.close();
      // the file stays loaded
      suite.#http = suite.#kubectl = suite.#server = undefined;
    });
    return suite;
  }

  static withKubectl(version: KubectlVersion = '1.35'): TestServer {
    const suite = TestServer.forSuite({ enableAdmissionPlugins: ['ServiceAccount'] });
    beforeAll(async () => {
      suite.#kubectl = await Kubectl.for(suite.server.kubeconfig, version);
    });
    return suite;
  }

  get server(): RunningServer {
    return opened(this.#server);
  }

  get http(): HttpClient {
    return opened(this.#http);
  }

  get kubectl(): Kubectl {
    return opened(this.#kubectl);
  }
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a test server opens before the first test');
  return value;
}
