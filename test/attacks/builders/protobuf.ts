/** Protobuf encoding by hand, so that bytes can be malformed. */
export const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
};

export const key = (field: number, wireType: number): Buffer => varint(field * 8 + wireType);

/** Encodes a field with a length: text, bytes, or a message. */
export function field(number: number, value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([key(number, 2), varint(bytes.length), bytes]);
}

/** Nests a message `levels` times in the same field. */
export function nestedField(number: number, levels: number): Buffer {
  // from the inside out, written from the end: joining at each level would copy quadratically many bytes
  const bytes = Buffer.alloc(levels * 6);
  let at = bytes.length;
  for (let level = 0; level < levels; level++) {
    const head = Buffer.concat([key(number, 2), varint(bytes.length - at)]);
    at -= head.length;
    head.copy(bytes, at);
  }
  return bytes.subarray(at);
}

export const magic = Buffer.from('k8s\0');

/** The envelope of every object. (runtime.Unknown) */
export function envelope(raw: Uint8Array, apiVersion = 'v1', kind = 'ConfigMap'): Buffer {
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([magic, field(1, type), field(2, raw)]);
}

/** Encodes ObjectMeta in field 1, with a name. */
export const named = (name: string | Uint8Array, more: Uint8Array = Buffer.alloc(0)): Buffer =>
  field(1, Buffer.concat([field(1, name), more]));
