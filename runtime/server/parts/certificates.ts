import { bindAddressOf } from '../../options/bind-address.ts';
import { loadOrCreateCertificates, type ServerCertificates } from '../../serving/certificates.ts';
import { SigningAuthority } from '../../serving/signing-authority.ts';
import { tlsSettings } from '../../serving/tls/serving-certificates.ts';
import { type Opened, part } from '../assembly/part.ts';
import { validateServerRunOptions } from '../server-run-options.ts';
import { config } from './inputs.ts';

/** The versions and cipher suites of TLS. */
export const tls = part('tls', {
  needs: { config },
  open({ config: { options, logger } }) {
    validateServerRunOptions(options);
    return tlsSettings(options, logger);
  },
});

/** The certificates of the server and of its administrator. A fork shares them. */
export const certificates = part('certificates', {
  needs: { config, tls },
  open({ config: { options, clock, keys } }) {
    return loadOrCreateCertificates({ folder: options.certDir, bindAddress: bindAddressOf(options), clock, keys });
  },
  fork: { take: (shared) => shared, open: (shared): ServerCertificates => shared },
});

const needs = { config, certificates };

/** The CA that signs certificate requests. A fork trusts its origin's CAs, and signs with its own. */
export const signer = part('signer', {
  needs,
  open: (opened) => openSigner(opened),
  fork: {
    take: (opened) => opened.fork(),
    open: (inherited, opened) => openSigner(opened, inherited),
  },
});

function openSigner(
  { config: { clock, keys }, certificates: { ca, caKey } }: Opened<typeof needs>,
  inherited?: readonly string[],
): SigningAuthority {
  return new SigningAuthority({ certificate: ca, key: caKey }, { inherited, clock, keys });
}
