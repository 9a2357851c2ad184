/** An option or flag is invalid. The message is for the person who set it. */
export class OptionError extends Error {}
