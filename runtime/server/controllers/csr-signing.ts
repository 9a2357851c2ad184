import { readFile } from 'node:fs/promises';
import type { SigningOptions, SigningPairSource } from '../../controllers/certificates/signing-authorities.ts';
import { type SignerName, signerNames } from '../../kinds/certificates.k8s.io/signer-rules.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { CertificateAuthority } from '../../machinery/x509/authority.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { KeyPair } from '../../serving/x509-certificate.ts';

const year = 365 * 24 * 60 * 60_000;

/** The files of a signer, and the names of their flags. */
interface SigningFiles {
  readonly flag: string;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/**
 * Returns the CA of each signer. (cmd/kube-controller-manager startCSRSigningController)
 *
 * @param ownCA signs for all signers without flags
 * @throws OptionError if a file cannot be used now
 */
export async function csrSigning(options: ServerOptions, ownCA: () => KeyPair): Promise<SigningOptions> {
  const all = {
    flag: 'cluster-signing',
    certificate: options.clusterSigningCertFile,
    key: options.clusterSigningKeyFile,
  };
  const specific = specificFiles(options);
  const duration = options.clusterSigningDuration ?? year;
  if ([...specific.values()].every((files) => !isSet(files))) {
    const source = isSet(all) ? await fileSource(all) : ownCA;
    const names = Object.values(signerNames);
    return { duration, sources: Object.fromEntries(names.map((name) => [name, source])) };
  }
  if (isSet(all)) {
    throw new OptionError('cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time');
  }
  const sources: Partial<Record<SignerName, SigningPairSource>> = {};
  for (const [name, files] of specific) if (isSet(files)) sources[name] = await fileSource(files);
  return { duration, sources };
}

function specificFiles(options: ServerOptions): ReadonlyMap<SignerName, SigningFiles> {
  const files = (flag: string, certificate: string | undefined, key: string | undefined): SigningFiles => ({
    flag: `cluster-signing-${flag}`,
    certificate,
    key,
  });
  return new Map([
    [
      signerNames.kubeletServing,
      files('kubelet-serving', options.clusterSigningKubeletServingCertFile, options.clusterSigningKubeletServingKeyFile),
    ],
    [
      signerNames.kubeletClient,
      files('kubelet-client', options.clusterSigningKubeletClientCertFile, options.clusterSigningKubeletClientKeyFile),
    ],
    [
      signerNames.kubeAPIServerClient,
      files('kube-apiserver-client', options.clusterSigningKubeApiserverClientCertFile, options.clusterSigningKubeApiserverClientKeyFile),
    ],
    [
      signerNames.legacyUnknown,
      files('legacy-unknown', options.clusterSigningLegacyUnknownCertFile, options.clusterSigningLegacyUnknownKeyFile),
    ],
  ]);
}

const isSet = ({ certificate, key }: SigningFiles): boolean => certificate !== undefined || key !== undefined;

/** Returns a source that reads the files for each certificate, since they may change. */
async function fileSource({ flag, certificate, key }: SigningFiles): Promise<SigningPairSource> {
  if (certificate === undefined || key === undefined) {
    throw new OptionError(`--${flag}-cert-file and --${flag}-key-file must be set together`);
  }
  const read = async (): Promise<KeyPair> => {
    const [pem, keyPem] = await Promise.all([readFile(certificate, 'utf8'), readFile(key, 'utf8')]);
    return { certificate: pem, key: keyPem };
  };
  try {
    new CertificateAuthority(await read());
  } catch (error) {
    throw new OptionError(`--${flag}-cert-file, --${flag}-key-file: ${messageOf(error)}`);
  }
  return read;
}
