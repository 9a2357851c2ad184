import { X509Certificate } from 'node:crypto';
import type { Node } from '../../generated/v1.35/core/v1/types.ts';
import type { ProxyTransports } from '../client/proxy/transport.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import { notFound } from '../machinery/errors/status.ts';
import { DynamicFile } from '../machinery/files/dynamic-file.ts';
import { OptionError } from '../options/server-options.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { ServingContent } from '../serving/tls/serving-content.ts';
import { KubeletBackend } from '../streaming/kubelet/kubelet-backend.ts';
import { KubeletClient, type KubeletCredentials } from '../streaming/kubelet/kubelet-client.ts';
import type { NodeBackend } from '../streaming/node-backend.ts';
import type { CompletedConfig } from './config.ts';

/** (kube-apiserver: cmd/kube-apiserver/app/options NewServerRunOptions) */
const defaultAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const defaultPort = 10_250;

export interface RunningKubelets extends NodeBackend {
  close(): void;
}

/**
 * Opens the connections to kubelets. Returns undefined without options for them.
 *
 * @throws OptionError for an invalid file
 */
export async function openKubelets(
  config: CompletedConfig,
  stores: ResourceStores,
  transports: ProxyTransports,
): Promise<RunningKubelets | undefined> {
  const { options, clock } = config;
  const { kubeletPreferredAddressTypes, kubeletPort, kubeletTimeout } = options;
  const files = await openFiles(config);
  const isConfigured = [kubeletPreferredAddressTypes, kubeletPort, kubeletTimeout].some((one) => one !== undefined);
  if (files === undefined && !isConfigured) return undefined;
  const client = new KubeletClient(
    {
      transports,
      clock,
      dial: options.dial,
      timeout: kubeletTimeout,
      preferredAddressTypes: kubeletPreferredAddressTypes ?? defaultAddressTypes,
      defaultPort: kubeletPort ?? defaultPort,
      node: (name) => readNode(stores, name),
    },
    files?.credentials() ?? { certificate: undefined, key: undefined, certificateAuthority: undefined },
  );
  files?.onChange(() => client.update(files.credentials()));
  const backend = new KubeletBackend(client);
  return {
    connect: (request) => backend.connect(request),
    close() {
      files?.close();
      client.close();
    },
  };
}

async function readNode(stores: ResourceStores, name: string): Promise<Node> {
  const { collection } = await stores.byResource('', 'v1', 'nodes');
  const stored = (await collection.mostRecent()).get('', name);
  if (stored === undefined) throw notFound({ group: '', resource: 'nodes' }, name);
  return stored.decode() as Node;
}

/** Credential files, which may change while the server runs. */
interface CredentialFiles {
  credentials(): KubeletCredentials;
  onChange(listener: () => void): void;
  close(): void;
}

async function openFiles({ options, clock, logger }: CompletedConfig): Promise<CredentialFiles | undefined> {
  const { kubeletClientCertificate: certFile = '', kubeletClientKey: keyFile = '' } = options;
  const { kubeletCertificateAuthority: caFile = '' } = options;
  if (certFile === '' && keyFile === '' && caFile === '') return undefined;
  const flags = '--kubelet-client-certificate and --kubelet-client-key';
  if ((certFile === '') !== (keyFile === '')) throw new OptionError(`${flags} must be given together`);
  const authority = caFile === '' ? undefined : await openAuthority(caFile, { clock, logger });
  const pair = certFile === '' ? undefined : await ServingContent.open({ flags, certFile, keyFile, clock, logger });
  return {
    credentials: () => ({
      certificate: pair?.pair.certificate,
      key: pair?.pair.key,
      certificateAuthority: authority?.value,
    }),
    onChange(listener) {
      authority?.onChange(listener);
      pair?.onChange(listener);
    },
    close() {
      authority?.close();
      pair?.close();
    },
  };
}

async function openAuthority(path: string, { clock, logger }: Pick<CompletedConfig, 'clock' | 'logger'>): Promise<DynamicFile<string>> {
  try {
    return await DynamicFile.open({
      path,
      clock,
      parse: checkAuthority,
      onError: (error) => logger.error({ err: error, path }, 'the CA of kubelets could not be read again'),
    });
  } catch (error) {
    throw new OptionError(`--kubelet-certificate-authority: ${messageOf(error)}`);
  }
}

/** @throws Error for a text without a certificate */
function checkAuthority(text: string): string {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  for (const certificate of certificates) new X509Certificate(certificate);
  if (certificates.length === 0) throw new Error('there is no certificate in it');
  return text;
}
