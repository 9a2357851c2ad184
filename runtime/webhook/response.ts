import type { IncomingHttpHeaders } from 'node:http';

export interface WebhookResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export const isSuccess = ({ status }: WebhookResponse): boolean => status >= 200 && status <= 206;
