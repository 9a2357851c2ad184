import { quote } from '../go/quote.ts';

/**
 * Reasons and messages of responses without a Status. "" stands for the text of the response. (api/errors
 * NewGenericServerResponse)
 */
const generic: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', ''],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable', ''],
  409: ['AlreadyExists', 'the server reported a conflict'],
  415: ['UnsupportedMediaType', ''],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
};

const noAcceptableType = 'the server was unable to respond with a content type that the client supports';

/** Returns the reason and the message of an HTTP status without a Status. @param text of the response */
export function genericError(status: number, text: string): readonly [reason: string, message: string] {
  const known = generic[status];
  if (status === 406 && (text === '' || text === 'unknown')) return ['NotAcceptable', noAcceptableType];
  if (known !== undefined) return known[1] === '' ? [known[0], text] : known;
  if (status < 500) {
    return ['', `the server responded with the status code ${status} but did not return more information`];
  }
  return ['InternalError', `an error on the server (${quote(text)}) has prevented the request from succeeding`];
}
