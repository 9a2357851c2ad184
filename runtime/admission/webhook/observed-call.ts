import type { Operation } from '../../machinery/admission.ts';
import { internalError } from '../../machinery/errors/status.ts';
import type { WebhookAccessor } from './accessor.ts';
import { isCallingWebhookError, isWebhookRejection } from './errors.ts';

/**
 * Calls a webhook, and observes the duration and the outcome. A failed call counts according to the failure policy.
 *
 * @throws StatusError for the client (the ends of both dispatchers)
 */
export async function observedCall(
  { observer, ignoresFailures }: WebhookAccessor,
  operation: Operation,
  call: () => Promise<void>,
): Promise<'called' | 'failed-open'> {
  const start = performance.now();
  const called = (code: number, rejected: boolean): void =>
    observer.called(operation, { seconds: (performance.now() - start) / 1000, code, rejected });
  try {
    await call();
    called(200, false);
    return 'called';
  } catch (error) {
    if (isCallingWebhookError(error)) {
      if (!ignoresFailures) observer.rejected(operation, 'calling_webhook_error', error.code);
      called(error.code, !ignoresFailures);
      if (!ignoresFailures) throw internalError(error.message);
      observer.failedOpen();
      return 'failed-open';
    }
    const rejection = isWebhookRejection(error) ? error.statusError : undefined;
    const code = rejection?.status.code ?? 0;
    observer.rejected(operation, rejection ? 'no_error' : 'apiserver_internal_error', code);
    called(code, true);
    throw rejection ?? error;
  }
}
