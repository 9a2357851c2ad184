import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with an AdmissionConfiguration and its files. */
export class AdmissionConfigurationFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @param plugins configurations by plugin */
  static async create(plugins: Readonly<Record<string, object>>): Promise<AdmissionConfigurationFolder> {
    const folder = new AdmissionConfigurationFolder(await mkdtemp(join(tmpdir(), 'admission-')));
    const list = Object.entries(plugins).map(([name, configuration]) => ({ name, configuration }));
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: list,
    };
    await folder.write('admission.json', JSON.stringify(configuration));
    return folder;
  }

  /** The file for a server's option. */
  get file(): string {
    return join(this.path, 'admission.json');
  }

  async write(name: string, text: string): Promise<string> {
    await writeFile(join(this.path, name), text);
    return join(this.path, name);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}
