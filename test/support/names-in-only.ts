/**
 * Returns the names in the environment variable ONLY, as `ONLY=go,java`; [] if it is not set, for all.
 *
 * @param known all names; default: any name is accepted
 * @throws Error for an unknown name
 */
export function namesInOnly(known?: readonly string[]): readonly string[] {
  const names = (process.env.ONLY ?? '').split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => known !== undefined && !known.includes(name));
  if (unknown.length > 0) throw new Error(`ONLY: ${unknown.join(', ')} is not one of ${known?.join(', ')}`);
  return names;
}
