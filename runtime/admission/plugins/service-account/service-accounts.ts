import type { ServiceAccount } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { notFound } from '../../../machinery/errors/status.ts';
import { quoteExcerpt } from '../../../machinery/go/quote.ts';
import type { Random } from '../../../machinery/random.ts';
import type { Lister } from '../../../resources/lister.ts';
import { nameErrors } from '../../../resources/metadata-validation.ts';
import { newForbidden } from '../../errors.ts';
import type { PluginContext } from '../../plugin.ts';

/** The number of look-ups of the account `default`, which a controller creates after the namespace. */
const attempts = 10;

/** Looks up the service accounts of pods. (getServiceAccount) */
export class ServiceAccounts {
  readonly #lister: Lister<ServiceAccount>;
  readonly #clock: Clock;
  readonly #random: Random;

  private constructor(lister: Lister<ServiceAccount>, clock: Clock, random: Random) {
    this.#random = random;
    this.#lister = lister;
    this.#clock = clock;
  }

  static async open({ listers, clock, stores }: PluginContext): Promise<ServiceAccounts> {
    const lister = await listers.open<ServiceAccount>({ group: '', version: 'v1', resource: 'serviceaccounts' });
    return new ServiceAccounts(lister, clock, stores.random);
  }

  /** Waits up to two seconds for the account `default`. @throws StatusError 403 if there is no such account */
  get(attributes: Attributes, name: string): ServiceAccount | Promise<ServiceAccount> {
    const found = this.#lister.find(attributes.namespace, name);
    if (found instanceof Promise) return found.then((account) => account ?? this.#missing(attributes, name));
    return found ?? this.#missing(attributes, name);
  }

  #missing(attributes: Attributes, name: string): Promise<ServiceAccount> {
    if (name === 'default') return this.#await(attributes, name);
    throw lookupError(attributes, name);
  }

  async #await(attributes: Attributes, name: string): Promise<ServiceAccount> {
    attributes.turn.yield();
    const interval = 100 + this.#random.float('service-account', attributes.namespace) * 100;
    for (let attempt = 1; attempt < attempts; attempt++) {
      await new Promise<void>((resolve) => {
        this.#clock.after(interval, resolve);
      });
      const account = await this.#lister.find(attributes.namespace, name);
      if (account !== undefined) return account;
    }
    throw lookupError(attributes, name);
  }
}

/** A name that is no part of a path fails in the client, which does not ask for it. (client-go Request.Name) */
function lookupError(attributes: Attributes, name: string): Error {
  const problems = nameErrors('path-segment', name);
  const message =
    problems.length > 0
      ? `invalid resource name ${quoteExcerpt(name)}: [${problems.join(' ')}]`
      : notFound({ group: '', resource: 'serviceaccount' }, name).message;
  return newForbidden(attributes, `error looking up service account ${attributes.namespace}/${name}: ${message}`);
}
