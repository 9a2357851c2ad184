import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../machinery/errors/message-of.ts';
import { ensureFolder, writeFileAtomically } from '../machinery/files/private-files.ts';
import { normalizedPrivateKeyPem } from '../machinery/x509/private-key.ts';
import { OptionError } from '../options/server-options.ts';

export interface KubeconfigOptions {
  /** For example `https://127.0.0.1:6443`. */
  readonly url: string;
  /** PEM, like the other fields. */
  readonly ca: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/**
 * Formats a kubeconfig with one cluster, user and context, all named kubeloom. The key has client-go's form, whatever
 * its stored form.
 */
export function formatKubeconfig({ url, ca, clientCertificate, clientKey }: KubeconfigOptions): string {
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: kubeloom
  cluster:
    server: ${url}
    certificate-authority-data: ${base64(ca)}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ${base64(clientCertificate)}
    client-key-data: ${base64(normalizedPrivateKeyPem(clientKey))}
contexts:
- name: kubeloom
  context:
    cluster: kubeloom
    user: kubernetes-admin
current-context: kubeloom
preferences: {}
`;
}

/** Writes the file atomically, readable only by its owner, since it contains a key. */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  await ensureFolder(dirname(path));
  await writeFileAtomically(path, text);
}

/**
 * Returns the kubeconfig of a server with its certificates in `folder`.
 *
 * @throws OptionError if there are no certificates
 */
export async function kubeconfigFrom(folder: string, url: string): Promise<string> {
  const read = async (name: string): Promise<string> => {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (error) {
      throw new OptionError(`${messageOf(error)}: has a server been started with --cert-dir=${folder}?`);
    }
  };
  const [ca, clientCertificate, clientKey] = [await read('ca.crt'), await read('admin.crt'), await read('admin.key')];
  try {
    return formatKubeconfig({ url, ca, clientCertificate, clientKey });
  } catch (error) {
    throw new OptionError(`${join(folder, 'admin.key')}: ${messageOf(error)}`);
  }
}
