import type { HttpClient, HttpResponse } from './http-client.ts';

/** The path of testing.kubeloom.dev. */
export const testGroup = '/apis/testing.kubeloom.dev/v1alpha1';

/** Creates an object of testing.kubeloom.dev without a name, like a review. */
export function review(
  http: HttpClient,
  resource: string,
  spec: object,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<HttpResponse> {
  const body = JSON.stringify({ spec });
  return http.send('POST', `${testGroup}/${resource}${query}`, body, 'application/json', { headers });
}
