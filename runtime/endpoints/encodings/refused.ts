import { mediaTypes } from '../../http/negotiation.ts';
import type { StatusError } from '../../machinery/errors/status.ts';
import type { ResponseEncoding } from './response-encoding.ts';

/**
 * An encoding that the client asks for and objects do not have. As in upstream, the request fails when its result is
 * encoded: its writes have taken place.
 */
export class RefusedEncoding implements ResponseEncoding {
  readonly contentType = mediaTypes.json;
  readonly isText = true;
  readonly #error: StatusError;

  constructor(error: StatusError) {
    this.#error = error;
  }

  encodeStored(): never {
    throw this.#error;
  }

  encode(): never {
    throw this.#error;
  }

  encodeList(): never {
    throw this.#error;
  }

  encodeEvent(): never {
    throw this.#error;
  }

  encodeBookmark(): never {
    throw this.#error;
  }

  encodeError(): never {
    throw this.#error;
  }
}
