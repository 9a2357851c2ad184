import { X509Certificate } from 'node:crypto';
import { PemReader } from '../../machinery/go/pem.ts';

/**
 * The settings with which aggregated servers authenticate clients. (clusterauthenticationtrust
 * ClusterAuthenticationInfo)
 */
export interface ClusterAuthenticationInfo {
  /** PEM of the CAs of client certificates; "" for none. */
  readonly clientCA: string;
  /** PEM of the CAs of front proxies; "" for none. */
  readonly requestHeaderCA: string;
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** The common names of front proxies; empty for any. */
  readonly allowedNames: readonly string[];
}

type Data = Record<string, string>;

const clientCAKey = 'client-ca-file';
const requestHeaderCAKey = 'requestheader-client-ca-file';

const listKeys = {
  usernameHeaders: 'requestheader-username-headers',
  uidHeaders: 'requestheader-uid-headers',
  groupHeaders: 'requestheader-group-headers',
  extraHeaderPrefixes: 'requestheader-extra-headers-prefix',
  allowedNames: 'requestheader-allowed-names',
} as const;

type ListName = keyof typeof listKeys;

/**
 * Adds this server's information to the information that other servers have published.
 * (combinedClusterAuthenticationInfo)
 *
 * @param data the data of the ConfigMap
 * @param now milliseconds since the epoch
 * @throws Error if the data cannot be read
 */
export function combinedData(data: Readonly<Data>, own: ClusterAuthenticationInfo, now: number): Data {
  const result: Data = {};
  const clientCA = combinedCertificates(data[clientCAKey] ?? '', own.clientCA, now);
  if (clientCA !== '') result[clientCAKey] = clientCA;
  const requestHeaderCA = combinedCertificates(data[requestHeaderCAKey] ?? '', own.requestHeaderCA, now);
  if (requestHeaderCA === '') return result;
  result[requestHeaderCAKey] = requestHeaderCA;
  for (const name of Object.keys(listKeys) as ListName[]) {
    const values = [...new Set([...readList(data[listKeys[name]]), ...own[name]])];
    if (name !== 'uidHeaders' || values.length > 0) result[listKeys[name]] = JSON.stringify(values);
  }
  return result;
}

function readList(text: string | undefined): readonly string[] {
  if (!text) return [];
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw new Error('json: the value is no list of strings');
}

/** Milliseconds from the expiry of a certificate until it is dropped. */
const slack = 5 * 60_000;

/** Returns each certificate once, without expired ones. (combineCertLists) */
function combinedCertificates(known: string, own: string, now: number): string {
  const texts = [known, own].flatMap((pem) =>
    certificatesIn(pem)
      .filter(({ validTo }) => Date.parse(validTo) > now - slack)
      .map((certificate) => certificate.toString()),
  );
  return [...new Set(texts)].join('');
}

function certificatesIn(pem: string): X509Certificate[] {
  const reader = new PemReader(pem);
  const certificates: X509Certificate[] = [];
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type === 'CERTIFICATE' && !block.hasHeaders) certificates.push(new X509Certificate(block.bytes));
  }
  return certificates;
}
