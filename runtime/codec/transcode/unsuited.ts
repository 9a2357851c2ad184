/** Thrown for text that only decoding handles. */
export const unsuited = Symbol('unsuited');
