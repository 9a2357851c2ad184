import type { Authorizer } from '../../authorization/authorizer.ts';
import { loadAuthorizationConfiguration } from '../../authorization/configuration/load.ts';
import type { Clock } from '../../machinery/clock.ts';
import { DynamicFile } from '../../machinery/files/dynamic-file.ts';
import type { Logger } from '../../machinery/logger.ts';
import { orOptionError } from '../../machinery/options/or-option-error.ts';
import type { AuthorizerBuilder, ConfiguredAuthorizers } from './configured-authorizers.ts';

/** Milliseconds for which replaced webhooks stay open for requests in progress. */
const replacedWebhookTime = 60_000;

/** The authorizers of the file that --authorization-config names. A change of the file replaces them. */
export class AuthorizersFile {
  readonly #file: DynamicFile<ConfiguredAuthorizers>;
  #current: ConfiguredAuthorizers;

  private constructor(file: DynamicFile<ConfiguredAuthorizers>) {
    this.#file = file;
    this.#current = file.value;
  }

  /** @throws OptionError for an invalid file */
  static async open(
    path: string,
    builder: AuthorizerBuilder,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ): Promise<AuthorizersFile> {
    // types that were configured at the start must stay
    let required: readonly string[] = [];
    const file = await orOptionError('--authorization-config: ', () =>
      DynamicFile.open({
        path,
        clock,
        parse: async (text) => builder.build(loadAuthorizationConfiguration(text, required)),
        onError: (err) => logger.error({ err, path }, '--authorization-config cannot be read again'),
      }),
    );
    required = file.value.types;
    const opened = new AuthorizersFile(file);
    file.onChange((configured) => {
      clock.after(replacedWebhookTime, opened.#current.close);
      opened.#current = configured;
      logger.info({ path }, 'authorization configuration read again');
    });
    return opened;
  }

  /** The current types without Webhook. */
  get types(): readonly string[] {
    return this.#current.types;
  }

  /** Authorizes by the current content of the file. */
  readonly authorizer: Authorizer = {
    authorize: (attributes) => this.#current.authorizer.authorize(attributes),
    rulesFor: (user, namespace) =>
      this.#current.authorizer.rulesFor?.(user, namespace) ?? { resourceRules: [], nonResourceRules: [], incomplete: true },
  };

  /** Reads the file again if it may have changed. */
  refresh(): Promise<void> {
    return this.#file.refresh();
  }

  close(): void {
    this.#file.close();
    this.#current.close();
  }
}
