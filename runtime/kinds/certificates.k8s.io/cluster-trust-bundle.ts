import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import { PemReader } from '../../machinery/go/pem.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { parseCertificate } from './certificate-chain.ts';
import { clusterTrustBundleName } from './cluster-trust-bundle-name.ts';
import { validateSignerName } from './signer-name.ts';

type ClusterTrustBundle = Unvalidated<certificates.ClusterTrustBundle>;

/** The maximum size of a bundle, in bytes. */
const maxTrustBundle = 1024 * 1024;
const omitted = '<value omitted>';

/** (pkg/registry/certificates/clustertrustbundle) */
export const clusterTrustBundleStrategy: RESTStrategy = {
  validateCreate(bundle: ClusterTrustBundle, errors) {
    const root = Field.at(FieldPath.root, errors);
    validateNames(bundle, root);
    validateTrustBundle(bundle.spec?.trustBundle ?? '', root.child('spec', 'trustBundle'));
  },
  validateUpdate(bundle: ClusterTrustBundle, old: ClusterTrustBundle, errors) {
    const root = Field.at(FieldPath.root, errors);
    validateNames(bundle, root);
    const { signerName = '', trustBundle = '' } = bundle.spec ?? {};
    if (trustBundle !== (old.spec?.trustBundle ?? '')) {
      validateTrustBundle(trustBundle, root.child('spec', 'trustBundle'));
    }
    if (signerName !== (old.spec?.signerName ?? '')) {
      root.child('spec', 'signerName').invalid(signerName, 'field is immutable');
    }
  },
};

/** The name of a bundle begins with its signer. (ValidateClusterTrustBundle) */
function validateNames({ metadata, spec }: ClusterTrustBundle, root: Field): void {
  const { name = '', generateName = '' } = metadata ?? {};
  const { signerName = '' } = spec ?? {};
  const prefix = root.child('metadata', 'generateName');
  if (generateName !== '')
    for (const problem of clusterTrustBundleName(generateName, signerName, true)) prefix.invalid(generateName, problem);
  const field = root.child('metadata', 'name');
  if (name !== '') for (const problem of clusterTrustBundleName(name, signerName)) field.invalid(name, problem);
  if (signerName !== '') validateSignerName(signerName, root.child('spec', 'signerName'));
}

/** A bundle contains distinct certificates of CAs. */
function validateTrustBundle(bundle: string, field: Field): void {
  if (Buffer.byteLength(bundle) > maxTrustBundle) {
    field.tooLong('', maxTrustBundle);
    return;
  }
  const indexes = new Map<string, number[]>();
  const reader = new PemReader(Buffer.from(bundle).toString('latin1'));
  let isMalformed = false;
  for (let index = 0, block = reader.next(); block !== undefined; index += 1, block = reader.next()) {
    const problem =
      block.type !== 'CERTIFICATE'
        ? `has bad block type: ${block.type}`
        : block.hasHeaders
          ? 'has PEM block headers'
          : certificateProblem(block.bytes);
    if (problem !== undefined) {
      field.invalid(omitted, `entry ${index} ${problem}`);
      isMalformed = true;
      continue;
    }
    const key = block.bytes.toString('base64');
    indexes.set(key, [...(indexes.get(key) ?? []), index]);
  }
  if (isMalformed) return;
  if (indexes.size === 0) field.invalid(omitted, 'at least one trust anchor must be provided');
  for (const same of indexes.values()) {
    if (same.length > 1) field.invalid(omitted, `duplicate trust anchor (indices [${same.join(' ')}])`);
  }
}

function certificateProblem(der: Buffer): string | undefined {
  const certificate = parseCertificate(der);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? undefined : 'does not have the CA bit set';
}
