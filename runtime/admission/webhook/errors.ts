import { badRequest, type Status, type StatusError, worded } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';

/** A failed webhook call, or a malformed response. (apiserver pkg/util/webhook ErrCallingWebhook) */
export class CallingWebhookError extends Error {
  readonly isCallingWebhook = true;
  /** The HTTP status that stands for the failure in metrics. */
  readonly code: number;

  constructor(webhookName: string, reason: string, code: number) {
    super(`failed calling webhook ${quote(webhookName)}: ${reason}`);
    this.code = code;
  }
}

export const isCallingWebhookError = (error: unknown): error is CallingWebhookError =>
  (error as CallingWebhookError | undefined)?.isCallingWebhook === true;

/** A webhook's refusal of a write. (ErrWebhookRejection) */
export class WebhookRejection extends Error {
  readonly isWebhookRejection = true;
  readonly statusError: StatusError;

  constructor(webhookName: string, result: Partial<Status> | undefined) {
    const statusError = toStatusError(webhookName, result);
    super(statusError.message);
    this.statusError = statusError;
  }
}

export const isWebhookRejection = (error: unknown): error is WebhookRejection =>
  (error as WebhookRejection | undefined)?.isWebhookRejection === true;

const minErrorCode = 400;
/** The greatest status code in HTTP. (upstream: the connection breaks) */
const maxErrorCode = 999;

/** Returns the client's error. (apiserver pkg/admission/plugin/webhook/errors ToStatusErr) */
function toStatusError(webhookName: string, result: Partial<Status> = {}): StatusError {
  const { message, reason, details, code = 0 } = result;
  const deniedBy = `admission webhook ${quote(webhookName)} denied the request`;
  const explanation = message || reason;
  return worded({
    message: explanation ? `${deniedBy}: ${explanation}` : `${deniedBy} without explanation`,
    ...(reason && { reason }),
    ...(details && { details }),
    code: Math.min(Math.max(code, minErrorCode), maxErrorCode),
  });
}

export const dryRunUnsupported = (webhookName: string): StatusError =>
  badRequest(`admission webhook ${quote(webhookName)} does not support dry run`);
