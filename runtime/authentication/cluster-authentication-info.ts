import { messageOf } from '../machinery/errors/message-of.ts';
import type { RequestHeaderNames } from './request-header.ts';
import type { CertificatePool } from './x509/ca-bundle.ts';
import { parseCertificatePool } from './x509/ca-bundle.ts';

/** The settings for front proxies in kube-system/extension-apiserver-authentication, besides their CA. */
export interface RequestHeaderBundle {
  readonly names: RequestHeaderNames;
  readonly allowedNames: readonly string[];
}

export type ConfigMapData = Readonly<Record<string, string>>;

/**
 * Reads the certificates of a key.
 *
 * @throws Error if there are none, or invalid ones (dynamiccertificates ConfigMapCAController.loadCABundle)
 */
export function certificatesOf(data: ConfigMapData, key: string): CertificatePool {
  const pem = data[key] ?? '';
  if (pem === '') {
    const name = `client-ca::kube-system::extension-apiserver-authentication::${key}`;
    throw new Error(`missing content for CA bundle "${name}"`);
  }
  return parseCertificatePool(pem);
}

/**
 * Reads the names of headers and of front proxies, which are JSON lists.
 *
 * @throws Error for a key without such a list (headerrequest.RequestHeaderAuthRequestController)
 */
export function requestHeaderBundle(data: ConfigMapData): RequestHeaderBundle {
  return {
    names: {
      username: listOf(data, 'requestheader-username-headers'),
      uid: listOf(data, 'requestheader-uid-headers'),
      group: listOf(data, 'requestheader-group-headers'),
      extraPrefix: listOf(data, 'requestheader-extra-headers-prefix'),
    },
    allowedNames: listOf(data, 'requestheader-allowed-names'),
  };
}

function listOf(data: ConfigMapData, key: string): readonly string[] {
  const text = data[key] ?? '';
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${key}: ${messageOf(error)}`);
  }
  if (value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error(`${key}: not a list of strings`);
}
