import type { ResponseEncoding } from './response-encoding.ts';

/** The encoding of a watch whose client asks for a form that objects do not have. It encodes errors, and no objects. */
export class RefusedWatchEncoding implements ResponseEncoding {
  readonly isRefused = true;
  readonly #plain: ResponseEncoding;

  /** @param plain encodes the objects themselves */
  constructor(plain: ResponseEncoding) {
    this.#plain = plain;
  }

  get contentType(): string {
    return this.#plain.contentType;
  }

  get streamType(): string | undefined {
    return this.#plain.streamType;
  }

  get isText(): boolean {
    return this.#plain.isText;
  }

  encodeStored(): never {
    throw refused();
  }

  encode(): never {
    throw refused();
  }

  encodeList(): never {
    throw refused();
  }

  encodeEvent(): never {
    throw refused();
  }

  encodeBookmark(): never {
    throw refused();
  }

  encodeError(status: object): Uint8Array {
    return this.#plain.encodeError(status);
  }
}

const refused = () => new Error('the objects of this watch have no encoding');
