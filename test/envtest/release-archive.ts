import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The variable with the address of the index that envtest reads. It can be set when a test is linked. */
const indexVariable = 'sigs.k8s.io/controller-runtime/pkg/envtest.DefaultBinaryAssetsIndexURL';

const platform = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;

/**
 * The index of releases, and the archive of one, that envtest downloads where a suite sets DownloadBinaryAssets. It serves the
 * programs of one folder at a time.
 */
export class ReleaseArchive {
  readonly #server: Server;
  #archive = Buffer.alloc(0);

  private constructor() {
    this.#server = createServer((request, response) => {
      response.end(request.url === '/index.yaml' ? this.#index() : this.#archive);
    });
  }

  static async serve(): Promise<ReleaseArchive> {
    const archive = new ReleaseArchive();
    archive.#server.listen(0, '127.0.0.1');
    await once(archive.#server, 'listening');
    return archive;
  }

  /** The flag of `go test` with which a suite downloads from here. */
  get linkerFlag(): string {
    return `-ldflags=-X=${indexVariable}=${this.#url}/index.yaml`;
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Serves the programs of a folder from now on. Links are followed: an archive for envtest has files only. */
  async use(folder: string): Promise<void> {
    const args = ['-chz', '-C', folder, 'kube-apiserver', 'etcd', 'kubectl'];
    const { stdout } = await run('tar', args, { encoding: 'buffer', maxBuffer: 2 ** 30 });
    this.#archive = stdout;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #index(): string {
    const hash = createHash('sha512').update(this.#archive).digest('hex');
    const name = `envtest-v1.35.0-${process.platform}-${platform}.tar.gz`;
    return JSON.stringify({ releases: { 'v1.35.0': { [name]: { hash, selfLink: `${this.#url}/${name}` } } } });
  }
}
