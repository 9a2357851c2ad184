import type { CertificateSigningRequest } from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import { requestRules, type SignerName } from '../../kinds/certificates.k8s.io/signer-rules.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Random } from '../../machinery/random.ts';
import { parseCertificateRequest } from '../../machinery/x509/certificate-request.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ControllerContext } from '../controller-context.ts';
import { CertificateController, hasTrueCondition, isApproved, type StatusChange } from './certificate-controller.ts';
import { CAProvider, type SigningOptions } from './signing-authorities.ts';

/** The minimum validity in milliseconds. It overrides shorter requests. */
const minDuration = 10 * 60_000;

/** Signs approved requests for the signers of kubernetes.io. (pkg/controller/certificates/signer) */
export function csrSigningController(context: ControllerContext): Controller {
  const signer = new Signer(context.signing, context.stores);
  return new CertificateController(context, 'certificatesigningrequest-signing-controller', (request) => signer.handle(request));
}

class Signer {
  readonly #providers: ReadonlyMap<string, CAProvider>;
  readonly #duration: number;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ sources, duration }: SigningOptions, { clock, random }: Pick<ResourceStores, 'clock' | 'random'>) {
    this.#providers = new Map(Object.entries(sources).map(([name, source]) => [name, new CAProvider(source)]));
    this.#duration = duration;
    this.#clock = clock;
    this.#random = random;
  }

  async handle(request: CertificateSigningRequest): Promise<StatusChange | undefined> {
    const { spec, status = {} } = request;
    const provider = this.#providers.get(spec.signerName);
    if (provider === undefined || !isApproved(request) || hasTrueCondition(request, 'Failed')) return undefined;
    const parsed = parseCertificateRequest(spec.request ?? '');
    const usages = spec.usages ?? [];
    const problem = requestRules[spec.signerName as SignerName](parsed, usages);
    if (problem !== undefined) return { subresource: 'status', status: failed(status, problem) };
    const authority = await provider.current();
    const now = this.#clock.now();
    const serial = this.#random.bytes(15, 'certificate-serial', request.metadata.name);
    const certificate = authority.sign(parsed, { usages, now, serial, ttl: this.#ttlOf(spec.expirationSeconds) });
    return { subresource: 'status', status: { ...status, certificate: Buffer.from(certificate).toString('base64') } };
  }

  #ttlOf(expirationSeconds: number | undefined): number {
    if (expirationSeconds === undefined) return this.#duration;
    const requested = expirationSeconds * 1000;
    return requested > this.#duration ? this.#duration : Math.max(requested, minDuration);
  }
}

function failed(status: StatusChange['status'], message: string): StatusChange['status'] {
  const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
  return { ...status, conditions: [...(status.conditions ?? []), condition] };
}
