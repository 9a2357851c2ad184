import { BoundedMap } from '../../machinery/collections/bounded-map.ts';

/** Longer strings rarely repeat. */
const maxLength = 64;
const maxStrings = 20_000;
const maxRecords = 10_000;

/**
 * Keeps one copy of equal strings and records: names of namespaces, label values, and whole label sets such as those of
 * the pods of one ReplicaSet.
 */
export class Interner {
  readonly #strings = new BoundedMap<string, string>(maxStrings);
  readonly #records = new BoundedMap<string, Readonly<Record<string, string>>>(maxRecords);

  intern(text: string): string {
    if (text.length > maxLength) return text;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, text);
    return text;
  }

  /** Returns a shared record with the same string members. Omits other members. */
  internRecord(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
    let signature = '';
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (typeof value === 'string') signature += `${key.length}:${key}${value.length}:${value}`;
    }
    const known = this.#records.get(signature);
    if (known !== undefined) return known;
    const copy = this.#copy(record);
    this.#records.set(signature, copy);
    return copy;
  }

  #copy(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
    const copy: Record<string, string> = {};
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (typeof value !== 'string') continue;
      if (key === '__proto__') {
        Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
      } else {
        copy[this.intern(key)] = this.intern(value);
      }
    }
    return copy;
  }
}
