/** An option or flag is invalid. The message is for the person who set the option. */
export class OptionError extends Error {}
