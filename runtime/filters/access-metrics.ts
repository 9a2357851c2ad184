import { Exposition, formatLabels } from '../machinery/metrics/exposition.ts';

/** User names that metrics show; all others are hidden. (apiserver pkg/endpoints/filters compressUsername) */
const shownUsers: ReadonlySet<string> = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

type AuthenticationResult = 'success' | 'failure' | 'error';
type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';

/** Counts failed TLS handshakes, authentications and authorizations. */
export class AccessMetrics {
  readonly #users = new Map<string, number>();
  readonly #authentications: Record<AuthenticationResult, number> = { success: 0, failure: 0, error: 0 };
  readonly #authorizations: Record<AuthorizationResult, number> = { allowed: 0, denied: 0, 'no-opinion': 0, error: 0 };
  #handshakeErrors = 0;

  handshakeFailed(): void {
    this.#handshakeErrors++;
  }

  authenticated(username: string): void {
    const shown = shownUsers.has(username) ? username : username.includes('@') ? 'email_id' : 'other';
    this.#users.set(shown, (this.#users.get(shown) ?? 0) + 1);
    this.#authentications.success++;
  }

  /** @param result `error` for invalid credentials, `failure` for missing ones */
  notAuthenticated(result: 'failure' | 'error'): void {
    this.#authentications[result]++;
  }

  authorized(result: AuthorizationResult): void {
    this.#authorizations[result]++;
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const users = 'authenticated_user_requests';
    text.head(users, 'counter', '[ALPHA] Number of authenticated requests by kind of user name.');
    for (const [username, count] of this.#users) text.line(users, formatLabels({ username }), count);
    const results = [
      ['authentication_attempts', 'Number of attempts to authenticate by result.', this.#authentications],
      ['authorization_attempts_total', 'Number of decisions of the authorizer by result.', this.#authorizations],
    ] as const;
    for (const [name, help, counts] of results) {
      text.head(name, 'counter', `[ALPHA] ${help}`);
      for (const [result, count] of Object.entries(counts)) {
        if (count > 0) text.line(name, formatLabels({ result }), count);
      }
    }
    const handshakes = 'apiserver_tls_handshake_errors_total';
    text.head(handshakes, 'counter', '[ALPHA] Number of connections whose TLS handshake failed.');
    text.line(handshakes, '', this.#handshakeErrors);
    return text.toString();
  }
}
