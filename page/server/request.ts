import { sessionEnded, sessionKey } from './session.ts';

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

/** A response that is no success, in the server's words. */
export class ApiError extends Error {
  readonly code: number;
  readonly causes: readonly Cause[];

  constructor(code: number, { message, details }: Status) {
    super(message ?? `the server answered ${code}`);
    this.code = code;
    this.causes = details?.causes ?? [];
  }
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to the API. @throws ApiError for any response but a success */
export async function send(path: string, { method = 'GET', body, contentType, accept, signal }: RequestOptions = {}): Promise<Response> {
  const response = await fetch(`/ui/server${path}`, {
    method,
    headers: {
      'X-Kubeloom-Page': sessionKey,
      Accept: accept ?? 'application/json',
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
    cache: 'no-store',
    redirect: 'error',
  });
  if (response.ok) return response;
  if (response.status === 401) sessionEnded.value = true;
  const text = await response.text();
  throw new ApiError(response.status, statusOf(text));
}

export async function request<T>(path: string, options?: RequestOptions): Promise<T> {
  const response = await send(path, options);
  return (await response.json()) as T;
}

function statusOf(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() };
  }
}

/** Yields the objects of a response that has one in each line, as a watch has. */
export async function* lines<T>(response: Response): AsyncGenerator<readonly T[]> {
  if (response.body === null) return;
  let rest = '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const all = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = all.pop() ?? '';
      const whole = all.filter((line) => line !== '');
      if (whole.length > 0) yield whole.map((line) => JSON.parse(line) as T);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
